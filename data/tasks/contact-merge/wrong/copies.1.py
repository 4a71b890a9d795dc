    merged = list(mine)
