        name, _, last = entry.partition(" ")
