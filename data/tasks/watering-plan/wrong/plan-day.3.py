                plan[day].append(plant.name)
