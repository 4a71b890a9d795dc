def merge_books(mine: list[Card], theirs: list[Card]) -> list[Card]:
    """One card for each person of the two books, in the order of the names."""
    # <copies>
    merged = [card.copy() for card in mine]
    # </copies>
    for card in theirs:
        # <numbers>
        numbers = numbers_of(card)
        # </numbers>
        # <same-person>
        known = next((other for other in merged if numbers & numbers_of(other)), None)
        # </same-person>
        if known is None:
            # <add>
            merged.append(card.copy())
            # </add>
            continue
        # <newer>
        if card.changed > known.changed:
            known.name, known.changed = card.name, card.changed
        # </newer>
        for phone in card.phones:
            # <lacking-phones>
            if plain_number(phone) not in numbers_of(known):
                known.phones.append(phone)
            # </lacking-phones>
        # <tags>
        known.tags |= card.tags
        # </tags>
    # <in-order>
    return sorted(merged, key=lambda card: card.name.casefold())
    # </in-order>
