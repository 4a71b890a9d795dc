    modes = [max(counts.values())]
