        name, _, last = inside.partition("|")
        name, filters = name.strip(), [last.strip()] if last else []
