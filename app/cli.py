"""The command line: `scribe ask | students | report | tool | courses | picture | doctor | chat`.

Exit codes: 0 done or answered, 1 a fault of ours (see the log), 2 bad usage or input, 3 unresolved.
Only the parser lives here; what a command does is imported when it is run, so that `--help` is quick.
"""

import argparse
import importlib
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.settings import BACKENDS, DIALECT_NAMES

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


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = argparse.ArgumentParser(
        prog="scribe", description="Answers students' questions about their feedback report, on this machine."
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _add_ask(commands)
    _add_looking(commands)
    _add_courses(commands)
    _add_pictures(commands)
    doctor = _command(commands, "doctor", "what is installed, and how to get what is missing", "doctor:run")
    _add_model(doctor)
    chat = _command(commands, "chat", "open the chat page on this machine", "cli_chat:run")
    chat.add_argument("--demo", action="store_true", help="choose a simulated student in a menu")
    chat.add_argument("--host", help="address to listen on (demo: this machine only)")
    chat.add_argument("--port", type=_port, help="port; the next free one if it is taken")
    chat.add_argument("--course", help="id or alias of the course")
    _add_model(chat)
    return top


def _add_ask(commands: Any) -> None:
    ask = _command(commands, "ask", "ask one question as one student", "cli_ask:run")
    ask.add_argument("question", metavar="QUESTION")
    _add_student(ask)
    ask.add_argument("--theory", metavar="nr|ac|con", help="which of the student's reports is read")
    _add_model(ask)
    ask.add_argument("--json", action="store_true", help="print the record as one line of JSON, nothing else")
    ask.add_argument("--follow", metavar="RECORDS.jsonl", help="earlier records, which this question follows on")
    ask.add_argument("--seed", type=_seed, metavar="N")
    ask.add_argument("--temperature", type=_not_negative, metavar="T")


def _add_looking(commands: Any) -> None:
    students = _command(commands, "students", "list the students of a course", "cli_look:students")
    students.add_argument("--course", help="id or alias of the course")
    students.add_argument("--json", action="store_true", help="one line of JSON for each student")
    report = _command(commands, "report", "print a student's feedback report", "cli_look:report")
    _add_student(report)
    report.add_argument("--theory", metavar="nr|ac|con", help="the kind of report")
    tool = _command(commands, "tool", "call one tool, as the model would", "cli_look:tool")
    tool.add_argument("name", metavar="NAME")
    _add_student(tool)
    tool.add_argument("--args", default="{}", metavar="JSON", help="""arguments, e.g. '{"week": 6}'""")


def _add_courses(commands: Any) -> None:
    courses = commands.add_parser("courses", help="list, check, build and begin course bundles")
    under = courses.add_subparsers(required=True, metavar="COMMAND")
    _command(under, "list", "list the courses there are", "cli_courses:list_all")
    check = _command(under, "check", "check every file of a bundle", "cli_courses:check")
    check.add_argument("course", metavar="FOLDER_OR_ID", help="a bundle's folder, or the name of a course")
    new = _command(under, "new", "write a new course to fill in", "cli_courses:new")
    new.add_argument("name", metavar="NAME", help="its id, such as dsp-2")
    new.add_argument("--folder", type=Path, metavar="DIR", help="where to (default: beside the other courses)")
    new.add_argument("--language", choices=("en", "fr"), default="en", help="of the course (default: en)")
    new.add_argument("--weeks", type=_count, default=10, metavar="N", help="how many (default: 10)")
    _add_build(under)
    simulate = _command(under, "simulate", "write the logs of a demo course's students", "cli_build:simulate")
    simulate.add_argument("course", metavar="ID", help="a demo course")
    simulate.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
    demo = _command(under, "demo", "simulate and build the demo courses", "cli_build:demo")
    demo.add_argument("courses", nargs="*", metavar="ID", help="which (default: all)")


def _add_build(commands: Any) -> None:
    build = _command(commands, "build", "build a course's data from event logs", "cli_build:run")
    build.add_argument("--course", required=True, metavar="FOLDER_OR_ID", help="the course with its schedule.toml")
    build.add_argument("--out", type=Path, metavar="DIR", help="the bundle's folder (default: the course's own)")
    now = build.add_argument_group("the current run")
    now.add_argument("--events", type=Path, nargs="+", required=True, metavar="LOG", help="plain or gz")
    now.add_argument("--grades", type=Path, required=True, metavar="CSV", help="student,item,score; who is enrolled")
    past = build.add_argument_group("an earlier run, to learn from")
    past.add_argument("--past-events", type=Path, nargs="+", required=True, metavar="LOG")
    past.add_argument("--past-outcomes", type=Path, required=True, metavar="CSV", help="student,outcome (pass or fail)")
    past.add_argument("--past-start", type=_day, metavar="DATE", help="Monday of its week 1 (default: 52 weeks before)")
    logs = build.add_argument_group("the logs")
    logs.add_argument("--source", choices=("edx", "moodle", "parquet"), help="default: as the files' names say")
    zone = "of the times in Moodle's logs (default: the schedule's); edX logs and parquet are in UTC"
    logs.add_argument("--timezone", metavar="ZONE", help=zone)
    bad = "bad lines of logs and rows of tables to skip, in all (default: 100 lines of logs, no row)"
    logs.add_argument("--max-errors", type=_whole, metavar="N", help=bad)
    learning = build.add_argument_group("the predictor")
    learning.add_argument("--folds", type=_count, default=5, metavar="N", help="parts to test it on (default: 5)")
    learning.add_argument("--epochs", type=_count, metavar="N", help="longest training (default: 40)")
    learning.add_argument("--seed", type=_seed, default=0, metavar="N")
    reports = build.add_argument_group("the reports", "composed of our own sentences, unless")
    reports.add_argument("--llm", action="store_true", help="by a model behind an OpenAI-compatible API, then checked")
    reports.add_argument("--base-url", metavar="URL", help="its address")
    reports.add_argument("--model", metavar="NAME", help="its name there")


def _add_pictures(commands: Any) -> None:
    pictures = commands.add_parser("picture", help="draw what weighs for a student, the predictions or the topics")
    under = pictures.add_subparsers(required=True, metavar="KIND")
    drawn = {
        "importance": "what weighs in a student's expected result, week by week",
        "reliability": "how far the predictions can be trusted",
        "topics": "how the topics build on each other",
    }
    made = {kind: _command(under, kind, what, f"cli_pictures:{kind}") for kind, what in drawn.items()}
    for picture in made.values():
        picture.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    _add_student(made["importance"])
    made["importance"].add_argument("--all", action="store_true", help="every recorded behaviour, not only what weighs")
    for kind in ("reliability", "topics"):
        made[kind].add_argument("--course", help="id or alias of the course")
    chain = made["topics"].add_mutually_exclusive_group()
    chain.add_argument("--week", type=int, metavar="N", help="mark what this week builds on")
    chain.add_argument("--topic", metavar="NAME", help="mark what this topic builds on")


def _add_student(command: argparse.ArgumentParser) -> None:
    command.add_argument("--course", help="id or alias of the course")
    command.add_argument("--student", required=True, metavar="ID", help="`scribe students` lists them")


def _add_model(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("model", "without these, the small model that comes with Scribe")
    group.add_argument("--backend", choices=BACKENDS)
    group.add_argument("--model", metavar="PATH_OR_NAME", help="GGUF file, model folder or name at the API")
    group.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API")
    group.add_argument("--adapter", metavar="DIR", help="LoRA adapter (hf)")
    group.add_argument("--quantization", choices=("4bit", "8bit"), help="weights in bitsandbytes (hf)")
    group.add_argument("--dialect", choices=DIALECT_NAMES, help="how the model writes calls")


def _command(commands: Any, name: str, what: str, run: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=what, description=f"Scribe: {what}.")
    made.set_defaults(run=f"app.{run}")
    return made


def _not_negative(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a temperature; use 0 or more, e.g. 0.7")
    return value


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a seed; use a whole number from 0 on")
    return int(text)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a number; use a whole number from 0 on")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number; use a whole number from 1 on")
    return int(text)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} is not a date; write it as 2025-09-15") from error


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port; use 1 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
