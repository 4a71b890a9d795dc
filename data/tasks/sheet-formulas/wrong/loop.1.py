    if cell in above:
        return 0
