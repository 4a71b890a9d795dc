"""One pool of worker threads: results come back to one reader, which may stop the pool at any time."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from typing import Generic, TypeVar

TICK = 0.2
"""Seconds after which whoever waits for a result may look at something else."""
_LEAVING = 2.0
"""Seconds for all threads to see that nobody reads their results any more."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Stopped = Callable[[], bool]


def run_in_threads(
    work: Callable[[Item, Stopped], Result | None],
    items: Iterable[Item],
    threads: int,
    stopped: Stopped = lambda: False,
    grace: float = float("inf"),
    in_order: bool = False,
) -> Generator[Result | None, None, None]:
    """Yield what `work(item, stopped)` returns for each item, as it comes; None now and then while there is nothing.

    A thread takes an item when it has none, so an iterable may decide late, also by the thread that asks. Results of
    None are left out. At most two results a thread wait to be read. Once `stopped`, no item is begun, and what is
    under way is waited for at most `grace` seconds. What `work` or `items` raises is raised here. in_order: yield
    results in the items' order.
    """
    pool = _Pool(work, iter(items), threads, stopped)
    wanted = min(threads, len(items)) if isinstance(items, Sized) else threads
    # Daemons, because a thread that hangs on a server must not keep the process from ending.
    workers = [threading.Thread(target=pool.run, daemon=True) for _ in range(wanted)]
    for worker in workers:
        worker.start()
    try:
        yield from pool.collect(wanted, grace, in_order)
    finally:
        pool.left.set()
        for worker in workers:
            worker.join(_LEAVING / len(workers))


def map_in_threads(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """`work` of each item, in the items' order, by some threads."""
    with contextlib.closing(run_in_threads(lambda item, _: (work(item),), items, threads, in_order=True)) as results:
        for result in results:
            if result is not None:
                yield result[0]


class _Pool(Generic[Item, Result]):
    """What the threads and their reader have in common. `left`: nobody reads results any more."""

    def __init__(
        self, work: Callable[[Item, Stopped], Result | None], items: Iterator[Item], threads: int, stopped: Stopped
    ) -> None:
        self.left = threading.Event()
        self._work = work
        self._items = enumerate(items)
        self._stopped = stopped
        self._taking = threading.Lock()
        self._room = threading.Semaphore(2 * threads)
        self._results: queue.SimpleQueue[tuple[int, Result | None, BaseException | None] | None] = queue.SimpleQueue()

    def run(self) -> None:
        """Work on items until there are none; a last None says that this thread is done."""
        number = -1
        try:
            while (taken := self._take()) is not None:
                number, item = taken
                self._results.put((number, self._work(item, self._over), None))
        except BaseException as error:
            self._results.put((number, None, error))
        self._results.put(None)

    def collect(self, working: int, grace: float, in_order: bool) -> Iterator[Result | None]:
        """What `working` threads put, until all are done or the time after a stop is over."""
        deadline = float("inf")
        early: dict[int, Result | None] = {}
        following = 0
        while working and time.monotonic() < deadline:
            if deadline == float("inf") and self._stopped():
                deadline = time.monotonic() + grace
            try:
                came = self._results.get(timeout=TICK)
            except queue.Empty:
                yield None
                continue
            if came is None:
                working -= 1
                continue
            number, result, error = came
            if error is not None:
                raise error
            early[number if in_order else following] = result
            while following in early:
                ready = early.pop(following)
                following += 1
                self._room.release()
                if ready is not None:
                    yield ready

    def _over(self) -> bool:
        return self.left.is_set() or self._stopped()

    def _take(self) -> tuple[int, Item] | None:
        """The next item and its number, once there is room for its result."""
        while not self._over():
            if self._room.acquire(timeout=TICK):
                with self._taking:
                    return None if self._over() else next(self._items, None)
        return None
