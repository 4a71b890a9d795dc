    return first + sorted(others)
