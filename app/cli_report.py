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
    from eval.report.page import write_report
    from eval.report.report import build_report
    from eval.report.runs import ReportRequest, replace_unprintable
    from eval.tool_use.answers import read_expectations

    if arguments.out is None:
        raise UsageError("say where the report goes: --out DIR")
    request = ReportRequest(
        arguments.runs,
        arguments.judgements,
        read_expectations(arguments.questions) if arguments.questions else {},
        Parts(settings).checks.judge if arguments.judge else None,
        arguments.unseen,
        [(one, other) for one, other in arguments.compare],
        arguments.labels,
        arguments.worst,
        build.courses_folder(settings),
        arguments.rubrics or RUBRICS,
    )
    found = build_report(request)
    path = write_report(found, arguments.out)
    for sentence in found.missing:
        print(f"· {replace_unprintable(sentence)}")
    print(f"{path}: {len(found.loaded.runs)} runs, {len(found.tables)} tables, {len(found.charts)} figures")
    return 0
