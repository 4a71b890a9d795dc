"""Rows through some threads: each takes one when it has none, and what comes out is read by one."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from finetune.questions.row import Row
from finetune.trajectories.outcome import Outcome
from scribe.errors import BackendError

TICK = 0.2
"""Seconds after which a thread that nobody listens to looks whether that is so."""

Answer = Callable[[Row], Outcome]


@dataclass(slots=True)
class _Shared:
    todo: "queue.SimpleQueue[Row]"
    done: "queue.Queue[tuple[Row, Outcome | BaseException] | None]"
    left: threading.Event = field(default_factory=threading.Event)

    def put(self, what: tuple[Row, Outcome | BaseException] | None) -> None:
        while not self.left.is_set():
            with contextlib.suppress(queue.Full):
                self.done.put(what, timeout=TICK)
                return


def through(answer: Answer, rows: Sequence[Row], parallel: int) -> Iterator[tuple[Row, Outcome | BackendError]]:
    """Each row with its outcome, or with the error of the server that answered it, as they come.

    Raises whatever else goes wrong. Close the iterator to begin no further row.
    """
    if parallel == 1:
        yield from ((row, _tried(answer, row)) for row in rows)
        return
    shared = _Shared(queue.SimpleQueue(), queue.Queue(parallel))
    for row in rows:
        shared.todo.put(row)
    working = min(parallel, len(rows))
    # Daemons, because a thread that hangs on a server must not keep the process from ending.
    for _ in range(working):
        threading.Thread(target=_work, args=(answer, shared), daemon=True).start()
    try:
        while working:
            outcome = shared.done.get()
            if outcome is None:
                working -= 1
            elif isinstance(outcome[1], Outcome | BackendError):
                yield outcome[0], outcome[1]
            else:
                raise outcome[1]
    finally:
        shared.left.set()


def _tried(answer: Answer, row: Row) -> Outcome | BackendError:
    try:
        return answer(row)
    except BackendError as error:
        return error


def _work(answer: Answer, shared: _Shared) -> None:
    """Answer rows until there are none; a last None tells that this thread is done."""
    while not shared.left.is_set():
        try:
            row = shared.todo.get_nowait()
        except queue.Empty:
            break
        try:
            shared.put((row, answer(row)))
        except BaseException as error:  # raised again where outcomes are read, unless it is one row's trouble
            shared.put((row, error))
    shared.put(None)
