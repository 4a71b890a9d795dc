        counts[word] = counts.get(word, 1) + 1
