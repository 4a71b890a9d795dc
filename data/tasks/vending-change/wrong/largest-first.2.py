        order = sorted(paid, reverse=True)
