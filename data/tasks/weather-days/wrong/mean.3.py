        mean = round(sum(values) / FEWEST, 1)
