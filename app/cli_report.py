"""`scribe report`: a page on runs of an evaluation, or one student's feedback report."""

import argparse

from app import build
from app.settings import Settings
from scribe.errors import UsageError

MAKE = build.MakeBackend | None


def run(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """The page if files of answers are named, a student's report if a student is; never both."""
    if arguments.runs and arguments.student:
        raise UsageError("give either files of answers, for a page on them, or --student, for a student's report")
    if arguments.runs:
        return _page(arguments, settings)
    if not arguments.student:
        raise UsageError("name files of answers and --out DIR, or --student ID for a student's feedback report")
    from app import cli_look

    return cli_look.report(arguments, settings, make)


def _page(arguments: argparse.Namespace, settings: Settings) -> int:
    from app.judging import Parts
    from eval.judge.rubric import RUBRICS
    from eval.report.naming import plain
    from eval.report.results import Wanted, results
    from eval.report.runs import Given
    from eval.report.write import write
    from eval.tool_use.answers import read_expectations

    if arguments.out is None:
        raise UsageError("say where the report goes: --out DIR")
    questions = read_expectations(arguments.questions) if arguments.questions else {}
    checks = Parts(settings).checks.judge if arguments.judge else None
    given = Given(arguments.runs, arguments.judgements, questions, checks)
    compare = [(one, other) for one, other in arguments.compare]
    courses = build.courses_folder(settings)
    rubrics = arguments.rubrics or RUBRICS
    wanted = Wanted(given, arguments.unseen, compare, arguments.labels, arguments.worst, courses, rubrics)
    found = results(wanted)
    path = write(found, arguments.out)
    for sentence in found.missing:
        print(f"· {plain(sentence)}")
    print(f"{path}: {len(found.loaded.runs)} runs, {len(found.tables)} tables, {len(found.charts)} figures")
    return 0
