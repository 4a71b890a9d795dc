        counts[word] = 1
