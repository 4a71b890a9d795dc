            left.append(thing.name)
