def take_all(self, room: Place) -> list[str]:
    """Move what can be carried from the room into the bag; return the names of what was too heavy."""
    left: list[str] = []
    # <copy>
    found = list(room.things)
    # </copy>
    for thing in found:
        # <scenery>
        if isinstance(thing, Scenery):
            continue
        # </scenery>
        try:
            # <put>
            self.put(thing)
            # </put>
        # <only-too-heavy>
        except TooHeavy:
        # </only-too-heavy>
            # <go-on>
            left.append(thing.name)
            continue
            # </go-on>
        # <out-of-room>
        room.remove(thing)
        # </out-of-room>
    return left
