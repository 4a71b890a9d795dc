"""Distances that need not be measured again."""

from travel.source import DistanceSource


class CachedDistances(DistanceSource):
    """Remembers the distances that were used last, at most `size` (1 or more)."""

    def __init__(self, places: dict[str, tuple[float, float]], size: int) -> None:
        super().__init__(places)
        self.size = size
        self.hits = 0
        self._known: dict[tuple[str, str], float] = {}

    def __len__(self) -> int:
        """How many pairs are remembered."""
        return len(self._known)

    def oldest(self) -> tuple[str, str]:
        """The pair that comes first in the dictionary: the one not used for the longest time."""
        return next(iter(self._known))

    def distance(self, one: str, other: str) -> float:
        """The distance of two cities in kilometres, remembered if possible; raise UnknownCity."""
        raise NotImplementedError
