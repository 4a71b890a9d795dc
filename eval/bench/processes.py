"""Processes of their own: each contender's, and commands of Scribe; and a word on stderr about what runs."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from scribe.plumbing.errors import BackendError

P = ParamSpec("P")
R = TypeVar("R")
_BEGAN = float(os.environ.setdefault("SCRIBE_BENCH_BEGAN", str(time.time())))
"""The same in the processes that are started from here."""


def run_apart(call: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """What the call returns in a fresh process, which ends with it.

    Raises BackendError for whatever it raises there, or if the process dies.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(_call_or_explain, partial(call, *given, **named)).result()
        except BrokenProcessPool as error:
            raise BackendError("a contender's process died; is there memory enough for it?") from error


def _call_or_explain(call: Callable[[], R]) -> R:
    """The call; what it raises is put into words, since not every exception can be sent to another process."""
    try:
        return call()
    except Exception as error:
        raise BackendError(f"{type(error).__name__}: {error}") from None


def start_scribe(
    arguments: Sequence[object], environment: Mapping[str, str | None] | None = None, **how: Any
) -> "subprocess.Popen[Any]":
    """Begin a command of Scribe; silent, if `how`, which goes to Popen, says nothing else.

    environment: variables besides ours; None takes one away.
    """
    ours = {"PYTHONPATH": str(Path(__file__).parents[2])}
    variables = {
        name: value for name, value in {**os.environ, **ours, **(environment or {})}.items() if value is not None
    }
    program = Path(sys.executable).with_name("scribe")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([str(program), *map(str, arguments)], **{**quiet, "env": variables, **how})


def log_progress(what: str) -> None:
    """Say what runs now, and how long the bench has been at work."""
    minutes, seconds = divmod(int(time.time() - _BEGAN), 60)
    print(f"[{minutes}:{seconds:02d}] {what}", file=sys.stderr, flush=True)
