    room = free[0]
