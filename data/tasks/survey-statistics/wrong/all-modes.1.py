    modes = [max(counts, key=counts.get)]
