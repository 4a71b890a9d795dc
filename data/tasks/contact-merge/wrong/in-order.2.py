    return merged.sort(key=lambda card: card.name.casefold())
