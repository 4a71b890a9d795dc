        if room.beds <= people:
            continue
