"""One pool of worker threads: results come back to one reader, which may stop the pool at any time."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from typing import TypeVar

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
    left, taking, room = threading.Event(), threading.Lock(), threading.Semaphore(2 * threads)
    results: queue.SimpleQueue[tuple[int, Result | None, BaseException | None] | None] = queue.SimpleQueue()
    numbered = enumerate(items)

    def is_over() -> bool:
        return left.is_set() or stopped()

    def take() -> tuple[int, Item] | None:
        """The next item and its number, once there is room for its result."""
        while not is_over():
            if room.acquire(timeout=TICK):
                with taking:
                    return None if is_over() else next(numbered, None)
        return None

    def run() -> None:
        """Work on items until there are none; a last None says that this thread is done."""
        number = -1
        try:
            while (taken := take()) is not None:
                number, item = taken
                results.put((number, work(item, is_over), None))
        except BaseException as error:
            results.put((number, None, error))
        results.put(None)

    working = min(threads, len(items)) if isinstance(items, Sized) else threads
    # Daemons, because a thread that hangs on a server must not keep the process from ending.
    workers = [threading.Thread(target=run, daemon=True) for _ in range(working)]
    for worker in workers:
        worker.start()
    deadline, following, early = float("inf"), 0, dict[int, Result | None]()
    try:
        while working and time.monotonic() < deadline:
            if deadline == float("inf") and stopped():
                deadline = time.monotonic() + grace
            try:
                came = results.get(timeout=TICK)
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
                room.release()
                if ready is not None:
                    yield ready
    finally:
        left.set()
        for worker in workers:
            worker.join(_LEAVING / len(workers))


def map_in_threads(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """`work` of each item, in the items' order, by some threads."""
    with contextlib.closing(run_in_threads(lambda item, _: (work(item),), items, threads, in_order=True)) as results:
        for result in results:
            if result is not None:
                yield result[0]
