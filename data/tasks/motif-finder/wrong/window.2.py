            window = sequence[start : start + len(pattern) - 1]
