    found = room.things
