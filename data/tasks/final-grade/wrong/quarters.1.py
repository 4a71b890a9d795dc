    return round(mean, 2)
