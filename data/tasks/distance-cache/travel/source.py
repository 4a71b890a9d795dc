"""Where distances come from."""

import math


class UnknownCity(Exception):
    """No city of this name is on the map."""


class DistanceSource:
    """Measures distances on a map, and notes what it was asked."""

    def __init__(self, places: dict[str, tuple[float, float]]) -> None:
        self._places = dict(places)
        self.asked: list[tuple[str, str]] = []

    def distance(self, one: str, other: str) -> float:
        """The distance of two cities in kilometres; raise UnknownCity."""
        self.asked.append((one, other))
        for city in (one, other):
            if city not in self._places:
                raise UnknownCity(city)
        return math.dist(self._places[one], self._places[other])
