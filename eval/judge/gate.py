"""How fast requests go out: so many requests and tokens a minute, and a pause for all when a server asks for it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MINUTE = 60.0


@dataclass(slots=True)
class Gate:
    """Shared by all threads. requests, tokens: the most in a minute, 0 for no limit.

    Both are spread evenly: after a request, the next may go when its share of the minute is over.
    """

    requests: float = 0.0
    tokens: float = 0.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = 0.0
    _held: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, tokens: float, stopped: Callable[[], bool]) -> bool:
        """Wait for the turn of a request of about so many tokens. False if `stopped` before it came."""
        with self._lock:
            turn = max(self._next, self.clock())
            self._next = turn + max(self._share(1.0, self.requests), self._share(tokens, self.tokens))
        while not stopped():
            # The others' turns are not taken back when the server asks for a pause, so it is looked at again.
            left = max(turn, self._held) - self.clock()
            if left <= 0:
                return True
            self.sleep(min(left, 0.2))
        return False

    def hold(self, seconds: float) -> None:
        """Let nobody through for so many seconds."""
        with self._lock:
            self._held = max(self._held, self.clock() + seconds)

    @staticmethod
    def _share(amount: float, limit: float) -> float:
        return MINUTE * amount / limit if limit else 0.0
