    if depth == 1:
        return {}
