    plants = plants[:]
