    for shift in (-1, 0, 1):
