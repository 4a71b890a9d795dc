"""How many threads a step is evaluated with: all, or one while the processor is busy with something else.

The threads of a step wait for each other several hundred times in it. Where another process has one of the processors,
each wait may take as long as that process likes: on two processors beside a busy neighbour two threads are several
times slower than one. So both are timed as it goes, and what is faster now is used.
"""

from collections import deque

FEW = 4
"""Tokens up to which a step is of the kind whose time is compared; longer ones differ too much among themselves."""
COMPARED = 6
"""Steps whose mean is compared."""
AGAIN_FIRST, AGAIN_LAST = 24, 400
"""Compared steps after which the other choice is tried again: soon after a change, ever more rarely without one."""
CLEARLY, SLOWED = 0.85, 2.0
"""What the other choice must take of the time of the present one to be taken; and by how much the present one must
have become slower for the other to be tried at once."""


class ThreadChoice:
    """Chooses between all threads and one by the seconds that steps take. most: all of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = most
        self._recent = deque[float](maxlen=COMPARED)
        self._before: float | None = None
        """Mean of the choice that was in force before the trial under way; none while there is no trial."""
        self._usual: float | None = None
        self._pause = self._left = AGAIN_FIRST

    def note(self, tokens: int, seconds: float) -> None:
        """A step of so many tokens took so long with the present `count`, which may be another afterwards."""
        if self._most == 1 or tokens > FEW:
            return
        self._recent.append(seconds / tokens)
        self._left -= 1
        if len(self._recent) < COMPARED:
            return
        mean = sum(self._recent) / COMPARED
        if self._before is not None:
            self._decide(mean, self._before)
        elif self._usual is None:
            self._usual = mean
        elif self._left <= 0 or mean > SLOWED * self._usual:
            self._before = mean
            self._swap()

    def _decide(self, rival: float, present: float) -> None:
        """End the trial: stay with the other choice if it is clearly faster."""
        if rival < CLEARLY * present:
            self._usual, self._pause = rival, AGAIN_FIRST
        else:
            self._usual, self._pause = present, min(2 * self._pause, AGAIN_LAST)
            self._swap()
        self._before, self._left = None, self._pause

    def _swap(self) -> None:
        self.count = 1 if self.count == self._most else self._most
        self._recent.clear()
