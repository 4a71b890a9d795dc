        chosen = set(written)
