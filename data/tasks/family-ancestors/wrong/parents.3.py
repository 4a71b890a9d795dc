    parents = parents_of(name)
