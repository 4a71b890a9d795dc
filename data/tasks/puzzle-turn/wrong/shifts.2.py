    for shift in range(len(SHIFTS)):
