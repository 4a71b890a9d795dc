    ranking = sorted(counts.items())
