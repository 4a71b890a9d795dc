        for value, following in zip(values, values[1:]):
