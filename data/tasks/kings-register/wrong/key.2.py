        keyed.append((number, name.casefold(), entry))
