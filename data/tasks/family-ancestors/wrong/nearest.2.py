            found.setdefault(ancestor, generation)
