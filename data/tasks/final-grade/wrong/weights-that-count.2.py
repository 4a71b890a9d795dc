    weight = 1.0
