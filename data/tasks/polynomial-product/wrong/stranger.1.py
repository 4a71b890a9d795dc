    if not isinstance(other, Polynomial):
        raise NotImplementedError
