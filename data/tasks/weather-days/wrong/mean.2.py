        mean = round(sum(values), 1) // len(values)
