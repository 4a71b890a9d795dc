        starts = range(len(sequence))
