        starts = range(len(sequence) - len(pattern))
