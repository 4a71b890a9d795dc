            unit = to_smallest(amount, line.unit)[1]
