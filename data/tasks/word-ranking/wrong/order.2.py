    ranking = sorted(counts.items(), key=lambda entry: (entry[1], entry[0]), reverse=True)
