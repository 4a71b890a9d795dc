                plan[day] = [plant.name]
