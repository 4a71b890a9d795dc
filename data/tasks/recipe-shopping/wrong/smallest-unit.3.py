            unit = to_smallest(amount, line.unit)
