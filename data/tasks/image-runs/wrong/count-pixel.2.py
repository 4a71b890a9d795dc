            if not ends:
                length += 1
