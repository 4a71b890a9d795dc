    if depth == 0:
        return None
