    if not counting:
        return 0.0
