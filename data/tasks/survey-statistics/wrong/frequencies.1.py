    counts = count_values(values)
