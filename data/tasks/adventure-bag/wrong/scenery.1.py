        if type(thing) is Scenery:
            continue
