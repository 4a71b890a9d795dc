"""Who waits for a place. Owners take turns, however many requests each of them has."""

from collections import OrderedDict, deque
from collections.abc import Iterator

from scribe.engine.request import Request
from scribe.errors import QueueFull


class Line:
    """The waiting requests by owner, and whose turn it is. most: how many may wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._owners: OrderedDict[str, deque[Request]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._owners.values()))

    def add(self, request: Request) -> None:
        """Let it wait behind its owner's others. Raises QueueFull."""
        if len(self) >= self._most:
            raise QueueFull(len(self))
        self._owners.setdefault(request.path.owner, deque()).append(request)

    def __iter__(self) -> Iterator[Request]:
        """All, in the order in which they would be served: each owner's first, then each owner's second, …"""
        lines = [list(line) for line in self._owners.values()]
        for place in range(max(map(len, lines), default=0)):
            yield from (line[place] for line in lines if place < len(line))

    def take(self, request: Request, served: bool = True) -> None:
        """It no longer waits; if it was served, its owner is last in line now."""
        owner = request.path.owner
        self._owners[owner].remove(request)
        if not self._owners[owner]:
            del self._owners[owner]
        elif served:
            self._owners.move_to_end(owner)
