    if minutes < GRACE:
        return 0
