        known.tags &= card.tags
