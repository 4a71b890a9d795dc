        if thing == Scenery:
            continue
