        counts[word] += 1
