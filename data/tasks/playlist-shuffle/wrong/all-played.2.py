        over = len(remaining) <= 1
