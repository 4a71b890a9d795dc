        if card.changed > known.changed:
            known.name = card.name
