    sorted(merged, key=lambda card: card.name.casefold())
    return merged
