        numbers = set(card.phones)
