"""The line in which questions wait for the model, first come first served, each knowing how many are before it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scribe.plumbing.errors import ScribeError

AT_ONCE, WAITING = 4, 60
"""Questions that are answered at once, and that may wait; whoever comes after is told that it is busy."""


class LineFull(ScribeError):
    """So many are waiting that nobody more is let in."""


class WaitingLine:
    """Lets so many be answered at once; so many more may wait."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._at_once = at_once
        self._longest = at_once + waiting
        self._line: list[object] = []
        self._closed = False
        self._moved = threading.Condition()

    def __len__(self) -> int:
        return len(self._line)

    def close(self) -> None:
        """Let nobody more in."""
        with self._moved:
            self._closed = True

    def wait_until_empty(self, seconds: float) -> bool:
        """Wait, at most so long, until nobody is left; whether that is so."""
        with self._moved:
            return self._moved.wait_for(lambda: not self._line, seconds)

    @contextmanager
    def place(self) -> Iterator[Callable[[float], int]]:
        """A place in the line. Raises LineFull.

        What is given waits up to so many seconds and says how many must still go first; 0: it is one's turn.
        """
        mine = object()
        with self._moved:
            if self._closed or len(self._line) >= self._longest:
                raise LineFull("too many questions are waiting")
            self._line.append(mine)

        def count_before(seconds: float) -> int:
            with self._moved:
                before = self._count_before(mine)
                if before and self._moved.wait(seconds):
                    before = self._count_before(mine)
                return before

        try:
            yield count_before
        finally:
            with self._moved:
                self._line.remove(mine)
                self._moved.notify_all()

    def _count_before(self, mine: object) -> int:
        return max(0, self._line.index(mine) - self._at_once + 1)
