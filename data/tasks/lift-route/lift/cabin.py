"""The cabin of a lift."""

from lift.building import Building

UP, DOWN = 1, -1


class Lift:
    """Where a cabin stands, in which direction it goes, and which buttons in it are pressed."""

    def __init__(self, building: Building, floor: int, direction: int) -> None:
        self.building = building
        self.floor = floor
        self.direction = direction
        self.buttons: set[int] = set()

    def is_ahead(self, floor: int) -> bool:
        """Whether a floor lies in the direction of the lift, seen from where it stands."""
        return (floor - self.floor) * self.direction > 0

    def route(self, calls: list[int]) -> list[int]:
        """The floors at which the lift stops, in order; `calls` are the floors from which people call."""
        raise NotImplementedError
