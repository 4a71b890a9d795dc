            merged = [card.copy()]
