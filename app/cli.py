"""The command line: `scribe COMMAND`.

Exit codes: 0 done or answered, 1 a fault of ours (see the log), 2 bad usage or input, 3 unresolved, 130 interrupted.
A command's module is imported when it is run, so that `scribe --help` answers at once.
"""

import argparse
import errno
import importlib
import io
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.commands import BAD_INPUT, FAULT, INTERRUPTED, log_path

if TYPE_CHECKING:
    from tools.assembly.model import MakeBackend

COMMANDS = {
    "ask": "ask one question as one student",
    "answer": "answer a file of questions; run again, it goes on",
    "students": "list the students of a course",
    "tool": "call one tool, as the model would",
    "report": "a page on runs (RUN… --out DIR), or a student's feedback report (--student ID)",
    "courses": "list, check, build and begin course bundles",
    "tasks": "list and check programming tasks, and begin some from EvoCodeBench",
    "tutor": "write a programming task with a tutor beside you; left, it is gone on with",
    "dict": "measure tutors by what simulated students can write afterwards; run again, it goes on",
    "pairs": "people compare tutors' dialogues blind, two at a time; see `pairs draw`, `label`, `count`",
    "picture": "draw what weighs for a student, the predictions or the topics",
    "bench": "measure this machine's answers; `scribe bench FIGURE --help`",
    "judge": "judge answers by written criteria; run again, it goes on",
    "evaluate": "answer questions, judge the answers, and make the page on them; run again, it goes on",
    "agree": "how far judges and people agree; see `agree label` too",
    "train": "make a model from conversations; run again, it goes on",
    "ablate": "train variants, ask all the same; run again, it goes on",
    "doctor": "what is installed, and how to get what is missing",
    "chat": "open the chat page on this machine",
    "study": "a blind user study of three models: codes, pages, export, analysis",
    "people": "export or erase what the chat keeps of a person, or purge what is old",
}
"""Each command and what it does; `app/commands/` has a module of that name, those of `_FOLDERS` in a folder there."""
_FOLDERS = {
    "students": "look",
    "tool": "look",
    "tasks": "tutoring",
    "tutor": "tutoring",
    "dict": "tutoring",
    "pairs": "tutoring",
    "people": "campus",
}

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
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = build_parser(words[:1]).parse_args(words)
    from app.settings import load_settings
    from tools.assembly import model

    _keep_log()
    try:
        _open_output()
        code: int = arguments.run(arguments, load_settings(), make_backend or model.make_backend)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # whoever read it has left (`scribe … | head`)
        return 0
    except Exception as error:
        return _report(error)


def build_parser(wanted: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="scribe", description="Answers students' questions about their feedback report, on this machine."
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, what in COMMANDS.items():
        parser = commands.add_parser(name, help=what, description=f"Scribe: {what}.")
        if name in wanted:
            command = importlib.import_module(f"app.commands.{locate_module(name)}")
            parser.set_defaults(run=getattr(command, "run", None))
            command.add_arguments(parser)
    return top


def locate_module(command: str) -> str:
    """The module of a command, seen from `app.commands`."""
    return f"{_FOLDERS[command]}.{command}" if command in _FOLDERS else command


def _open_output() -> None:
    """Let what we print be printable anywhere. Raises UsageError if nobody can read it."""
    from scribe.plumbing.errors import UsageError

    if sys.stdout is None:  # then the first file that is opened would take its place
        raise UsageError("standard output is closed; send it to a file, or to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Keep Python from complaining at exit of what it cannot write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception) -> int:
    """One clear line for any failure; only one we did not foresee is a fault of ours."""
    from data.course import BundleError
    from scribe.plumbing.errors import ScribeError

    if os.environ.get("SCRIBE_DEBUG"):
        traceback.print_exception(error)
    loops = isinstance(error, RuntimeError) and str(error).startswith("Symlink loop")  # as pathlib says it
    if loops or isinstance(error, ScribeError | BundleError):
        print(f"scribe: {error}", file=sys.stderr)
        return BAD_INPUT
    if isinstance(error, OSError) and error.filename is not None:  # a path of the user's, and the system says why not
        print(f"scribe: {error.filename}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        _drop_output()
        print("scribe: the output cannot be written: the disk is full", file=sys.stderr)
        return BAD_INPUT
    logging.getLogger("app").error("unforeseen", exc_info=error)
    print(
        f"scribe: something went wrong that should not ({type(error).__name__}: {error}). "
        f"The details are in {log_path()}; SCRIBE_DEBUG=1 shows them here.",
        file=sys.stderr,
    )
    return FAULT


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
