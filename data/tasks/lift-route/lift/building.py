"""Floors of a building."""


class Building:
    """The floors from the lowest to the highest, some of them locked."""

    def __init__(self, lowest: int, highest: int, locked: set[int]) -> None:
        self.lowest, self.highest = lowest, highest
        self.locked = locked

    def serves(self, floor: int) -> bool:
        """Whether a lift may stop at a floor."""
        return self.lowest <= floor <= self.highest and floor not in self.locked
