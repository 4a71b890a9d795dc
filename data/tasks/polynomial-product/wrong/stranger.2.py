    if not isinstance(other, Polynomial):
        return None
