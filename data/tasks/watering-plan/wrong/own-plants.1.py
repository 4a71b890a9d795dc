    plants = list(plants)
