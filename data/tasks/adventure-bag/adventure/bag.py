"""The player's bag."""

from adventure.places import Place
from adventure.things import Scenery, Thing


class TooHeavy(Exception):
    """The bag would become too heavy."""


class Cursed(Exception):
    """Who touches this thing has lost."""


class Bag(Place):
    """A place that holds no more than `limit` grams."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def weight(self) -> int:
        """How much all things in the bag weigh together."""
        return sum(thing.weight for thing in self.things)

    def put(self, thing: Thing) -> None:
        """Add a thing at the end; raise Cursed or TooHeavy, and leave the bag as it was, if that cannot be."""
        if thing.cursed:
            raise Cursed(thing.name)
        if self.weight() + thing.weight > self.limit:
            raise TooHeavy(thing.name)
        super().put(thing)

    def take_all(self, room: Place) -> list[str]:
        """Move what can be carried from the room into the bag; return the names of what was too heavy."""
        raise NotImplementedError
