    room = min(free)
