    if isinstance(other, int):
        Polynomial.constant(other)
