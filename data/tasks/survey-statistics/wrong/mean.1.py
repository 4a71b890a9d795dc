    mean = round(sum(given) / len(texts), 1)
