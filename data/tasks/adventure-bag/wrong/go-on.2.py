            left.append(thing)
            continue
