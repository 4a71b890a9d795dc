        last = candidates[-1]
