            left.append(thing.name)
            break
