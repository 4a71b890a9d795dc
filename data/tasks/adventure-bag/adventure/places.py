"""Where things can be."""

from adventure.things import Thing


class Place:
    """A room, a chest, a bag: a place that holds things in some order."""

    def __init__(self, *things: Thing) -> None:
        self.things = list(things)

    def put(self, thing: Thing) -> None:
        """Add a thing at the end."""
        self.things.append(thing)

    def remove(self, thing: Thing) -> None:
        """Take a thing out; ValueError if it is not here."""
        self.things.remove(thing)

    def names(self) -> list[str]:
        """The names of the things in their order."""
        return [thing.name for thing in self.things]
