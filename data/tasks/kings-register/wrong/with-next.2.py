        for value, following in zip(values, [0, *values]):
