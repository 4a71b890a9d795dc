"""A network of roads."""

import heapq

from roads.routes import trace_back


class NoRoute(Exception):
    """No road leads from one town to the other."""


class Network:
    """Towns and the roads between them; a road can be used in both senses."""

    def __init__(self) -> None:
        self._roads: dict[str, dict[str, int]] = {}

    def add_road(self, one: str, other: str, length: int) -> None:
        """Add a road between two towns."""
        self._roads.setdefault(one, {})[other] = length
        self._roads.setdefault(other, {})

    def roads_from(self, town: str) -> list[tuple[str, int]]:
        """The towns to which a road leads from this one, each with the road's length."""
        out = list(self._roads[town].items())
        back = [(other, roads[town]) for other, roads in self._roads.items() if town in roads]
        return out + back

    def shortest_route(self, start: str, goal: str) -> list[str]:
        """The towns of a shortest route, start and goal included; raise NoRoute if there is none."""
        raise NotImplementedError
