    if limits.low >= limits.high:
        return
