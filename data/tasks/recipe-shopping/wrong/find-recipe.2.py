    recipe = find(name)
