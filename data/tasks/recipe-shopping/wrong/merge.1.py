            needed.update(inner)
