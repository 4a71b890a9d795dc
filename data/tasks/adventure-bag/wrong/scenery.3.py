        if isinstance(thing, Scenery):
            left.append(thing.name)
            continue
