        if card.changed < known.changed:
            known.name, known.changed = card.name, card.changed
