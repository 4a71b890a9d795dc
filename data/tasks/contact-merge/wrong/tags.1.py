        known.tags | card.tags
