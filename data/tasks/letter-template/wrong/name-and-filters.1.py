        name, *filters = inside.split("|")
