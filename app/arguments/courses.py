"""`scribe courses …`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import command
from app.arguments.values import count, day, whole


def add(commands: Any) -> None:
    """Course bundles: list, check, begin, build."""
    courses = commands.add_parser("courses", help="list, check, build and begin course bundles")
    under = courses.add_subparsers(required=True, metavar="COMMAND")
    command(under, "list", "list the courses there are", "cli_courses:list_all")
    check = command(under, "check", "check every file of a bundle", "cli_courses:check")
    check.add_argument("course", metavar="FOLDER_OR_ID", help="a bundle's folder, or the name of a course")
    new = command(under, "new", "write a new course to fill in", "cli_courses:new")
    new.add_argument("name", metavar="NAME", help="its id, such as dsp-2")
    new.add_argument("--folder", type=Path, metavar="DIR", help="where to (default: beside the other courses)")
    new.add_argument("--language", choices=("en", "fr"), default="en", help="of the course (default: en)")
    new.add_argument("--weeks", type=count, default=10, metavar="N", help="how many (default: 10)")
    _add_build(under)
    simulate = command(under, "simulate", "write the logs of a demo course's students", "cli_build:simulate")
    simulate.add_argument("course", metavar="ID", help="a demo course")
    simulate.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
    demo = command(under, "demo", "simulate and build the demo courses", "cli_build:demo")
    demo.add_argument("courses", nargs="*", metavar="ID", help="which (default: all)")


def _add_build(commands: Any) -> None:
    build = command(commands, "build", "build a course's data from event logs", "cli_build:run")
    build.add_argument("--course", required=True, metavar="FOLDER_OR_ID", help="the course with its schedule.toml")
    build.add_argument("--out", type=Path, metavar="DIR", help="the bundle's folder (default: the course's own)")
    now = build.add_argument_group("the current run")
    now.add_argument("--events", type=Path, nargs="+", required=True, metavar="LOG", help="plain or gz")
    now.add_argument("--grades", type=Path, required=True, metavar="CSV", help="student,item,score; who is enrolled")
    past = build.add_argument_group("an earlier run, to learn from")
    past.add_argument("--past-events", type=Path, nargs="+", required=True, metavar="LOG")
    past.add_argument("--past-outcomes", type=Path, required=True, metavar="CSV", help="student,outcome (pass or fail)")
    past.add_argument("--past-start", type=day, metavar="DATE", help="Monday of its week 1 (default: 52 weeks before)")
    logs = build.add_argument_group("the logs")
    logs.add_argument("--source", choices=("edx", "moodle", "parquet"), help="default: as the files' names say")
    zone = "of the times in Moodle's logs (default: the schedule's); edX logs and parquet are in UTC"
    logs.add_argument("--timezone", metavar="ZONE", help=zone)
    bad = "bad lines of logs and rows of tables to skip, in all (default: 100 lines of logs, no row)"
    logs.add_argument("--max-errors", type=whole, metavar="N", help=bad)
    learning = build.add_argument_group("the predictor")
    learning.add_argument("--folds", type=count, default=5, metavar="N", help="parts to test it on (default: 5)")
    learning.add_argument("--epochs", type=count, metavar="N", help="longest training (default: 40)")
    learning.add_argument("--seed", type=whole, default=0, metavar="N")
    reports = build.add_argument_group("the reports", "composed of our own sentences, unless")
    reports.add_argument("--llm", action="store_true", help="by a model behind an OpenAI-compatible API, then checked")
    reports.add_argument("--base-url", metavar="URL", help="its address")
    reports.add_argument("--model", metavar="NAME", help="its name there")
