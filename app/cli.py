"""The command line: `scribe ask | answer | evaluate | judge | agree | report | train | ablate | students | tool |
courses | picture | bench | doctor | chat`.

Exit codes: 0 done or answered, 1 a fault of ours (see the log), 2 bad usage or input, 3 unresolved, 130 interrupted.
What a command does is imported when it is run.
"""

import argparse
import importlib
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.arguments.parser import parser

if TYPE_CHECKING:
    from app.build import MakeBackend

FAULT, BAD_INPUT, UNRESOLVED, INTERRUPTED = 1, 2, 3, 130

# Read by libraries when they are imported: nothing here asks a hub, phones home or decorates our output.
_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_RUN_HISTORY": "False",
}


def main(argv: Sequence[str] | None = None, make_backend: "MakeBackend | None" = None) -> int:
    """Run one command and return its exit code. `make_backend` replaces the model that settings name."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    arguments = parser().parse_args(argv)
    try:
        return _run(arguments, make_backend)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left (`scribe … | head`); keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _reported(error)


def _run(arguments: argparse.Namespace, make_backend: "MakeBackend | None") -> int:
    from app import settings

    _keep_log()
    module, _, name = arguments.run.partition(":")
    command: Callable[..., int] = getattr(importlib.import_module(module), name)
    return command(arguments, settings.load(), make_backend)


def _reported(error: Exception) -> int:
    """One clear line for any failure; only one we did not foresee is a fault of ours."""
    from data.course import BundleError
    from scribe.errors import ScribeError

    if os.environ.get("SCRIBE_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, ScribeError | BundleError):
        print(f"scribe: {error}", file=sys.stderr)
        return BAD_INPUT
    logging.getLogger("app").error("unforeseen", exc_info=error)
    print(
        f"scribe: something went wrong that should not ({type(error).__name__}: {error}). "
        f"The details are in {log_path()}; SCRIBE_DEBUG=1 shows them here.",
        file=sys.stderr,
    )
    return FAULT


def log_path() -> Path:
    """Where warnings and unforeseen faults are written."""
    return Path(os.environ.get("SCRIBE_CACHE") or Path.home() / ".cache" / "scribe") / "scribe.log"


class _Log(logging.FileHandler):
    """Our log file, so that a second run in one process can put its own in place."""


def _keep_log() -> None:
    """Warnings go to the log, not between the lines of an answer."""
    root = logging.getLogger()
    for earlier in [each for each in root.handlers if isinstance(each, _Log)]:
        root.removeHandler(earlier)
    try:
        log_path().parent.mkdir(parents=True, exist_ok=True)
        log = _Log(log_path(), encoding="utf-8", delay=True)
    except OSError:
        return  # without a log everything else still works
    log.setLevel(logging.WARNING)
    log.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(log)
    logging.captureWarnings(True)
    if not os.environ.get("SCRIBE_DEBUG"):
        warnings.simplefilter("ignore")


if __name__ == "__main__":
    sys.exit(main())
