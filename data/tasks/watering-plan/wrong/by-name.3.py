    plants = plants.sort(key=lambda plant: plant.name)
