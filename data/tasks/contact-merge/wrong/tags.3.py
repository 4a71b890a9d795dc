        known.tags = card.tags
