"""`scribe evaluate`: a file of questions to answers, judgements and the page on them, in one command.

It runs `scribe answer`, `scribe judge` and `scribe report` one after the other, says each command line, and leaves
their files in one folder; stopped anywhere, the same command goes on where it was. Exit codes: as theirs, the first
that is not 0; an answer that is missing (3) does not keep the others from being judged and shown.
"""

import argparse
import contextlib
import functools
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from app import build, cli
from app.build import MakeBackend
from app.settings import Settings
from eval.agreement.ratings import find_label_files
from eval.judge.judgement import LOCAL
from eval.questions import spread_over_students
from scribe.errors import UsageError

_MODEL = ("backend", "model", "adapter", "quantization", "dialect", "prompt")


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Every step in its turn, as far as the one before can be built upon."""
    if arguments.judge not in (None, LOCAL) and not arguments.judge_url:
        raise UsageError("whose judge? give its address with --judge-url, or --judge local for checks without a model")
    if arguments.judge in (None, LOCAL) and (arguments.tools or arguments.criteria):
        raise UsageError("--tools and --criteria are for a judge; give its name with --judge and its --judge-url")
    if arguments.labels:
        find_label_files(arguments.labels)  # said now, and not when all is answered and judged
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.students:
        arguments.source = _spread(arguments, settings)
    worst = 0
    for step in steps(arguments):
        print(f"scribe {shlex.join(step)}", flush=True)
        code = cli.main(step, make)
        if code not in (0, cli.UNRESOLVED):
            return code
        worst = worst or code
    return worst


def _spread(arguments: argparse.Namespace, settings: Settings) -> Path:
    """The questions, each asked as several students, in a file beside the answers."""
    path: Path = arguments.out / f"{arguments.name}.questions.jsonl"

    @functools.cache
    def students_of(name: str) -> list[str]:
        course = build.course(settings, name)
        return [student for student in course.students if course.student(student).reports]

    lines = spread_over_students(arguments.source, students_of, arguments.students, arguments.seed or 0)
    text = "".join(f"{line}\n" for line in lines)
    partial = path.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
    return path


def steps(arguments: argparse.Namespace) -> Iterator[list[str]]:
    """The command lines, without `scribe`."""
    answers = arguments.out / f"{arguments.name}.jsonl"
    yield ["answer", str(arguments.source), "--out", str(answers), *_chosen(arguments)]
    if arguments.judge not in (None, LOCAL):
        yield ["judge", str(answers), "--out", str(_judgements(answers)), *_asked(arguments)]
    others = [str(path) for path in arguments.beside]
    checks = ["--judge", LOCAL] if arguments.judge == LOCAL else []
    more = [*checks, *_shown(arguments), *_known(arguments)]
    yield ["report", str(answers), *others, "--out", str(arguments.out), *more]


def _chosen(arguments: argparse.Namespace) -> list[str]:
    """Which model answers, and how many rows."""
    given = {name: getattr(arguments, name) for name in (*_MODEL, "base_url", "limit", "parallel", "seed")}
    return [part for name, value in given.items() if value is not None for part in (_flag(name), str(value))]


def _asked(arguments: argparse.Namespace) -> list[str]:
    """How the judge is asked."""
    given = ["--judge", arguments.judge, "--base-url", arguments.judge_url, "--repeats", str(arguments.repeats)]
    given += ["--tools", str(arguments.tools)] if arguments.tools else []
    given += ["--criteria", *arguments.criteria] if arguments.criteria else []
    return [*given, "--allow-remote"] if arguments.allow_remote else given


def _shown(arguments: argparse.Namespace) -> list[str]:
    """What else the page is to show."""
    labels = ["--labels", *map(str, arguments.labels)] if arguments.labels else []
    return [*labels, "--unseen", *arguments.unseen] if arguments.unseen else labels


def _known(arguments: argparse.Namespace) -> list[str]:
    """Where categories and acceptable tools stand: in the questions, if these are lines of ours that have ids."""
    with contextlib.suppress(OSError, ValueError), arguments.source.open(encoding="utf-8") as lines:
        if "id" in json.loads(next(lines, "{}")):
            return ["--questions", str(arguments.source)]
    return []


def _judgements(answers: Path) -> Path:
    return answers.with_suffix(".judgements.jsonl")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
