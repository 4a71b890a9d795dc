    room = min(free, key=lambda room: room.price)
