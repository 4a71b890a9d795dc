    weight = sum(weights.values())
