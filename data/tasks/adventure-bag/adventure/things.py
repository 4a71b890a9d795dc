"""What a room can contain."""

from dataclasses import dataclass


@dataclass(eq=False)
class Thing:
    """Something with a name and a weight in grams."""

    name: str
    weight: int
    cursed: bool = False


class Scenery(Thing):
    """A thing that belongs to the room and cannot be carried."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0)


class Door(Scenery):
    """Scenery that leads to another room."""
