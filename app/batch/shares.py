"""Who answers which row next: a worker stays with one student, whose report it has then read already."""

import threading
from collections import deque
from collections.abc import Hashable, Iterable

from app.batch.row import Row

_Whose = tuple[str, str, str]


class Shares:
    """Rows that are still to be answered. Any number of threads may take some; each row is taken once."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._groups: dict[_Whose, deque[Row]] = {}
        self._last: dict[Hashable, _Whose] = {}
        self._lock = threading.Lock()
        for row in rows:
            self._groups.setdefault(_whose(row), deque()).append(row)

    def take(self, worker: Hashable) -> Row | None:
        """The next row for this worker, or None if there is none left.

        First of the student it had last, then of one that nobody has, then of whoever has most left.
        """
        with self._lock:
            if not self._groups:
                return None
            whose = self._last[worker] = self._chosen(worker)
            group = self._groups[whose]
            row = group.popleft()
            if not group:
                del self._groups[whose]
            return row

    def put_back(self, row: Row) -> None:
        """A row that was taken and not answered; it comes first among those of its student."""
        with self._lock:
            self._groups.setdefault(_whose(row), deque()).appendleft(row)

    def _chosen(self, worker: Hashable) -> _Whose:
        own = self._last.get(worker)
        if own is not None and own in self._groups:
            return own
        taken = set(self._last.values())
        free = next((whose for whose in self._groups if whose not in taken), None)
        return free or max(self._groups, key=lambda whose: len(self._groups[whose]))


def _whose(row: Row) -> _Whose:
    return row.course, row.student, row.theory
