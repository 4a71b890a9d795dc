        keyed.append((name.casefold(), str(number), entry))
