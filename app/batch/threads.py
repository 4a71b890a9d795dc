"""Answering in this process: some threads over one model, which joins what they ask or takes them in turn."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.batch.answering import Answering
from app.batch.result import Result
from app.batch.row import Row
from app.batch.shares import Shares

TICK = 0.2
"""Seconds after which whoever waits for a result may look at something else."""
GRACE = 10.0
"""Seconds that a stopped run waits for its threads; one may hang on a server that does not answer."""
LEAVING = 2.0
"""Seconds for all threads to see that nobody reads their results any more."""

_Outcome = Result | BaseException | None


class Threads:
    """An engine of `parallel` threads. A thread takes a row when it has none, so nothing piles up."""

    def __init__(self, answering: Answering, parallel: int) -> None:
        self._answering = answering
        self._parallel = parallel

    @property
    def info(self) -> Mapping[str, str]:
        """The model's, see `scribe.backend.Backend.info`."""
        return self._answering.backend.info

    def results(self, rows: Sequence[Row], stopped: Callable[[], bool]) -> Generator[Result | None, None, None]:
        """The result of each row as it is there; None now and then while there is none.

        When `stopped`, what is being answered is dropped and no further row is begun.
        """
        left = threading.Event()
        # Room for one result of each thread: whoever is faster than the disk waits.
        outcomes: queue.Queue[_Outcome] = queue.Queue(self._parallel)
        work = (Shares(rows), _Basket(outcomes, left), lambda: stopped() or left.is_set())
        # Daemons, because a thread that hangs must not keep the process from ending.
        threads = [
            threading.Thread(target=self._work, args=(number, *work), daemon=True)
            for number in range(min(self._parallel, len(rows)))
        ]
        for thread in threads:
            thread.start()
        try:
            yield from _collected(outcomes, len(threads), stopped)
        finally:
            left.set()
            for thread in threads:
                thread.join(LEAVING / len(threads))

    def _work(
        self,
        number: int,
        shares: Shares,
        basket: "_Basket",
        stopped: Callable[[], bool],
    ) -> None:
        """Answer rows until there are none; None tells that this thread is done."""
        try:
            while not stopped() and (row := shares.take(number)):
                if result := self._answering.answer(row, stopped):
                    basket.put(result)
            basket.put(None)
        except BaseException as error:  # raised again where the results are read
            basket.put(error)

    def close(self) -> None:
        """Let go of the model."""
        self._answering.close()


@dataclass(frozen=True, slots=True)
class _Basket:
    """Where threads put what came out, unless nobody is there any more to take it."""

    outcomes: "queue.Queue[_Outcome]"
    left: threading.Event

    def put(self, outcome: _Outcome) -> None:
        while not self.left.is_set():
            with contextlib.suppress(queue.Full):
                self.outcomes.put(outcome, timeout=TICK)
                return


def _collected(outcomes: "queue.Queue[_Outcome]", working: int, stopped: Callable[[], bool]) -> Iterator[Result | None]:
    deadline = float("inf")
    while working and time.monotonic() < deadline:
        if stopped() and deadline == float("inf"):
            deadline = time.monotonic() + GRACE
        try:
            outcome = outcomes.get(timeout=TICK)
        except queue.Empty:
            yield None
            continue
        if isinstance(outcome, BaseException):
            raise outcome
        if outcome is None:
            working -= 1
        else:
            yield outcome
