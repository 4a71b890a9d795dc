            merged.append(card)
