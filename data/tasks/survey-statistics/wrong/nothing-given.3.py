    if not given:
        return Summary(0, missing, 0.0, 0.0, [])
