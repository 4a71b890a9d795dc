        mean = (min(values) + max(values)) / 2
