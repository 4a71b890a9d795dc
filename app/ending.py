"""A command that is told to end cleans up first."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

ENDINGS = (signal.SIGTERM, signal.SIGHUP)
"""What `kill`, a system that shuts down and a terminal that is closed send."""


@contextlib.contextmanager
def cleaning_up() -> Iterator[None]:
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


def _end(number: int, frame: FrameType | None) -> None:
    for each in ENDINGS:  # a second one must not break off the cleaning up
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
