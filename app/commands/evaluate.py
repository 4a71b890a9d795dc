"""`scribe evaluate`: a file of questions to answers, judgements and the page on them, in one command.

It runs `scribe answer`, `scribe judge` and `scribe report` one after the other, says each command line, and leaves
their files in one folder; stopped anywhere, the same command goes on where it was. Exit codes: as theirs, the first
that is not 0; an answer that is missing (3) does not keep the others from being judged and shown.
"""

import argparse
import contextlib
import functools
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from app.commands import UNRESOLVED, answer, judge, report, run_command
from app.commands.arguments import MODEL_FLAGS, NO_TOOLS_FILE, add_gone, add_model, parse_count, parse_whole
from data.texts import quote
from eval.agreement.ratings import find_label_files
from eval.judge.judgement import LOCAL
from eval.questions import spread_over_students
from eval.report.runs import name_paths
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_text
from tools.assembly.assistant import find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

STEPS = {"answer": answer, "judge": judge, "report": report}
_OF_ANSWER = (*MODEL_FLAGS, "limit", "parallel", "seed")
_NAME = re.compile(r"[^\W_][\w.@+-]{0,99}")
_OF_JUDGE = ("repeats", "criteria", "allow_remote")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="QUESTIONS", help="what `scribe answer` reads")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="answers, judgements, index.html …")
    parser.add_argument("--name", default="answers", help="how this run is called on the page (default: answers)")
    parser.add_argument("--beside", nargs="+", default=[], metavar="RUN", help="earlier runs to compare with")
    parser.add_argument("--students", type=parse_count, metavar="N", help="ask each as N students of its course")
    parser.add_argument("--limit", type=parse_count, metavar="N", help="only the first N questions")
    parser.add_argument("--parallel", type=parse_count, metavar="N", help="questions at a time")
    parser.add_argument("--seed", type=parse_whole, metavar="N")
    judge = parser.add_argument_group("judge", "without one, only what can be counted is shown")
    judge.add_argument("--judge", metavar="MODEL", help="name at the address; local: checks by rule, without a model")
    judge.add_argument("--judge-url", metavar="URL", help="address of an OpenAI-compatible API (key: SCRIBE_API_KEY)")
    judge.add_argument("--allow-remote", action="store_true", help="reports and questions may leave this network")
    judge.add_argument("--repeats", type=parse_count, default=1, metavar="N", help="requests a verdict; the paper: 5")
    judge.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    add_gone(parser, "--tools", NO_TOOLS_FILE)
    page = parser.add_argument_group("page")
    page.add_argument("--labels", type=Path, nargs="+", default=[], metavar="DIR", help="what people labelled")
    page.add_argument("--unseen", nargs="+", default=[], metavar="COURSE", help="courses not seen in training")
    add_model(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    if arguments.judge not in (None, LOCAL) and not arguments.judge_url:
        raise UsageError("whose judge? give its address with --judge-url, or --judge local for checks without a model")
    if arguments.judge in (None, LOCAL) and arguments.criteria:
        raise UsageError("--criteria are for a judge; give its name with --judge and its --judge-url")
    if arguments.labels:
        find_label_files(arguments.labels)  # said now, and not when all is answered and judged
    _refuse_late_surprises(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.students:
        arguments.source = _spread_questions(arguments, settings)
    worst = 0
    for step in list_steps(arguments):
        print(f"scribe {shlex.join(step)}", flush=True)
        code = run_command(STEPS[step[0]], step[1:], settings, make)
        if code not in (0, UNRESOLVED):
            return code
        worst = worst or code
    return worst


def _refuse_late_surprises(arguments: argparse.Namespace) -> None:
    """Raise UsageError for what the last step would refuse when all is answered and judged, or write elsewhere."""
    name = arguments.name
    if not _NAME.fullmatch(name):
        raise UsageError(f"--name {quote(name)} also names files: letters, digits and . _ @ + - only, at most 100")
    for path in name_paths(arguments.beside).values():
        if not path.is_file():
            raise UsageError(f"--beside {path}: there is no such file")


def _spread_questions(arguments: argparse.Namespace, settings: AssistantSettings) -> Path:
    """The questions, each asked as several students, in a file beside the answers."""
    path: Path = arguments.out / f"{arguments.name}.questions.jsonl"

    @functools.cache
    def students_of(name: str) -> list[str]:
        course = find_course(settings, name)
        return [student for student in course.students if course.student(student).reports]

    lines = spread_over_students(arguments.source, students_of, arguments.students, arguments.seed or 0)
    write_text(path, "".join(f"{line}\n" for line in lines))
    return path


def list_steps(arguments: argparse.Namespace) -> Iterator[list[str]]:
    """The command lines, without `scribe`."""
    answers = arguments.out / f"{arguments.name}.jsonl"
    yield ["answer", str(arguments.source), "--out", str(answers), *_repeat_flags(arguments, *_OF_ANSWER)]
    if arguments.judge not in (None, LOCAL):
        whose = ["--judge", arguments.judge, "--base-url", arguments.judge_url]
        judged = str(answers.with_suffix(".judgements.jsonl"))
        yield ["judge", str(answers), "--out", judged, *whose, *_repeat_flags(arguments, *_OF_JUDGE)]
    checks = ["--judge", LOCAL] if arguments.judge == LOCAL else []
    more = [*checks, *_repeat_flags(arguments, "labels", "unseen"), *_list_question_flags(arguments)]
    yield ["report", str(answers), *arguments.beside, "--out", str(arguments.out), *more]


def _repeat_flags(arguments: argparse.Namespace, *names: str) -> Iterator[str]:
    """The flags of these names as far as they were given."""
    for name in names:
        value = getattr(arguments, name)
        if value is not None and value is not False and value != []:
            yield f"--{name.replace('_', '-')}"
            if value is not True:
                yield from map(str, value if isinstance(value, list) else [value])


def _list_question_flags(arguments: argparse.Namespace) -> list[str]:
    """Where categories and acceptable tools stand: in the questions, if these are lines of ours that have ids."""
    with contextlib.suppress(OSError, ValueError), arguments.source.open(encoding="utf-8") as lines:
        if "id" in json.loads(next(lines, "{}")):
            return ["--questions", str(arguments.source)]
    return []
