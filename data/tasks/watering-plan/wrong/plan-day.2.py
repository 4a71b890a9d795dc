                plan.setdefault(day, []).append(plant)
