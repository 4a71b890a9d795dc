    ranking = sorted(counts.items(), key=lambda entry: entry[1], reverse=True)
