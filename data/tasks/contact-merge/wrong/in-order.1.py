    return sorted(merged, key=lambda card: card.name)
