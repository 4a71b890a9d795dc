"""Each contender in a process of its own, and a word on stderr about what runs."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from scribe.errors import BackendError

P = ParamSpec("P")
R = TypeVar("R")
_BEGAN = float(os.environ.setdefault("SCRIBE_BENCH_BEGAN", str(time.time())))
"""The same in the processes that are started from here."""


def apart(call: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """What the call returns in a fresh process, which ends with it.

    Raises BackendError for whatever it raises there, or if the process dies.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(_told, partial(call, *given, **named)).result()
        except BrokenProcessPool as error:
            raise BackendError("a contender's process died; is there memory enough for it?") from error


def _told(call: Callable[[], R]) -> R:
    """The call; what it raises is put into words, since not every exception finds its way to another process."""
    try:
        return call()
    except Exception as error:
        raise BackendError(f"{type(error).__name__}: {error}") from None


def tell(what: str) -> None:
    """Say what runs now, and how long the bench has been at work."""
    minutes, seconds = divmod(int(time.time() - _BEGAN), 60)
    print(f"[{minutes}:{seconds:02d}] {what}", file=sys.stderr, flush=True)
