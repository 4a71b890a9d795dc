    if isinstance(other, int):
        other = Polynomial({1: other})
