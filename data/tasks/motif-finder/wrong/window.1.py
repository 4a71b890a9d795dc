            window = sequence[start : len(pattern)]
