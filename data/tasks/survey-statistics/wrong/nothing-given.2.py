    if not texts:
        return Summary(0, missing, None, None, [])
