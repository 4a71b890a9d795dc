    modes = [value for value in counts if value == max(counts)]
