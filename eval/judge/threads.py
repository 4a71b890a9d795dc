"""Items through some threads: each thread takes one when it has none, and what comes out is read by one."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from eval.judge.judgement import Judgement
from eval.judge.work import Item
from scribe.errors import BackendError

TICK = 0.2
"""Seconds after which whoever waits for an outcome may look at something else."""

Ask = Callable[[Item, Callable[[], bool]], Judgement | None]
Outcome = Judgement | BackendError


@dataclass(slots=True)
class _Shared:
    """What the threads have in common. `left`: nobody reads outcomes any more."""

    todo: "queue.SimpleQueue[Item]"
    done: "queue.Queue[tuple[Item, Outcome | BaseException | None] | None]"
    stopped: Callable[[], bool]
    left: threading.Event = field(default_factory=threading.Event)

    def over(self) -> bool:
        return self.left.is_set() or self.stopped()

    def put(self, outcome: tuple[Item, Outcome | BaseException | None] | None) -> None:
        while not self.left.is_set():
            with contextlib.suppress(queue.Full):
                self.done.put(outcome, timeout=TICK)
                return


def judged(
    ask: Ask, items: Sequence[Item], parallel: int, stopped: Callable[[], bool]
) -> Iterator[tuple[Item, Outcome] | None]:
    """Each item with its judgement or why there is none, as they come; None now and then while there is none.

    When `stopped`, no item is begun any more; what is being asked is waited for unless the generator is closed.
    """
    shared = _Shared(queue.SimpleQueue(), queue.Queue(parallel), stopped)
    for item in items:
        shared.todo.put(item)
    working = min(parallel, len(items))
    # Daemons, because a thread that hangs on a server must not keep the process from ending.
    for _ in range(working):
        threading.Thread(target=_work, args=(ask, shared), daemon=True).start()
    try:
        while working:
            try:
                outcome = shared.done.get(timeout=TICK)
            except queue.Empty:
                yield None
                continue
            if outcome is None:
                working -= 1
            elif isinstance(outcome[1], Judgement | BackendError):
                yield outcome[0], outcome[1]
            elif outcome[1] is not None:
                raise outcome[1]
    finally:
        shared.left.set()


def _work(ask: Ask, shared: _Shared) -> None:
    """Ask for items until there are none; a last None tells that this thread is done."""
    while not shared.over():
        try:
            item = shared.todo.get_nowait()
        except queue.Empty:
            break
        try:
            shared.put((item, ask(item, shared.over)))
        except BaseException as error:  # raised again where outcomes are read, unless it is one item's trouble
            shared.put((item, error))
    shared.put(None)
