    return round(mean * 4) / 4
