    if not self.rooms:
        raise NoRoom(f"for {people} people from {arrival}")
