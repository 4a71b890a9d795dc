        starts = range(0, len(sequence) - len(pattern) + 1, len(pattern))
