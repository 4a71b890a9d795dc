        keyed.append((name, number, entry))
