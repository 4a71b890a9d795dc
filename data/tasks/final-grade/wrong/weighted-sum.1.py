    total = sum(counting.values()) * weight
