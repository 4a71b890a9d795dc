"""Being told to end (Ctrl-C, kill, a closed terminal) as something that a program can clean up after or ask about."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

ENDINGS = (signal.SIGTERM, signal.SIGHUP)
"""What `kill`, a system that shuts down and a terminal that is closed send."""


@contextlib.contextmanager
def clean_up_when_ended() -> Iterator[None]:
    """Within the block, being told to end is an exception, so that what is half done is undone.

    For the main thread, as signals are. What is ignored already (`nohup`) stays so.
    """
    ours = [each for each in ENDINGS if signal.getsignal(each) is signal.SIG_DFL]
    for each in ours:
        signal.signal(each, _end)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


@contextlib.contextmanager
def notice_interruption() -> Iterator[Callable[[], bool]]:
    """Yield what says whether Ctrl-C or a polite kill came, so that no line is broken off in the middle.

    A second one raises KeyboardInterrupt. Outside the main thread, which alone may set signals, nothing is noticed.
    """
    noticed = threading.Event()

    def notice(number: int, frame: FrameType | None) -> None:
        if noticed.is_set():
            raise KeyboardInterrupt
        noticed.set()

    if threading.current_thread() is not threading.main_thread():
        yield noticed.is_set
        return
    before = {number: signal.signal(number, notice) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield noticed.is_set
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _end(number: int, frame: FrameType | None) -> None:
    for each in ENDINGS:  # a second one must not break off the cleaning up
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
