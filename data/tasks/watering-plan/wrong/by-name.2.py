    plants = sorted(plants)
