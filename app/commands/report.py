"""`scribe report`: a page on runs of an evaluation, or one student's feedback report."""

import argparse
from pathlib import Path

from app.commands.arguments import parse_whole
from scribe.plumbing.errors import UsageError
from tools import conversation
from tools.assembly.assistant import find_course, find_student, locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

COMPARED = """\
runs that are worth comparing, each answered by `scribe answer` and judged by `scribe judge`:
  base and fine-tuned    scribe report base.jsonl tuned.jsonl --out page
  ours and an API model  scribe answer IN --out api.jsonl --backend api ...   (the same loop and tools)
                         scribe report tuned.jsonl api.jsonl --out page
  courses seen, unseen   scribe report base.jsonl tuned.jsonl --unseen lnv --out page
  with an unseen tool    scribe report without=a.jsonl with=b.jsonl --out page
  ablation               scribe report rank@32=a.jsonl rank@64=b.jsonl rank@256=c.jsonl --out page
  only some pairs        scribe report a.jsonl b.jsonl c.jsonl --compare a b --compare a c --out page
no judge at hand:        scribe report a.jsonl --judge local --out page
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = COMPARED
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    student = parser.add_argument_group("a student's feedback report")
    student.add_argument("--course", help="id or alias of the course")
    student.add_argument("--student", metavar="ID", help="`scribe students` lists them")
    student.add_argument("--theory", metavar="nr|ac|con", help="the kind of report")
    told = "what `scribe answer` wrote; NAME=FILE names it, FAMILY@SETTING=FILE makes it part of an ablation"
    parser.add_argument("runs", nargs="*", metavar="RUN", help=told)
    page = parser.add_argument_group("a page on runs")
    page.add_argument("--out", type=Path, metavar="DIR", help="index.html, csv/ and png/ are written there")
    beside = "what `scribe judge` wrote, where it does not lie beside the answers as NAME.judgements.jsonl"
    page.add_argument("--judgements", type=Path, nargs="+", default=[], metavar="FILE", help=beside)
    local = "check the answers first by fixed rules, without a model; they stand for no judge"
    page.add_argument("--judge", choices=("local",), help=local)
    page.add_argument("--labels", type=Path, nargs="+", default=[], metavar="DIR", help="what people labelled")
    page.add_argument("--rubrics", type=Path, metavar="DIR", help="where your own criteria are defined")
    page.add_argument("--questions", type=Path, metavar="FILE", help="for categories and acceptable first tools")
    unseen = "ids of courses not seen in training; shown apart too"
    page.add_argument("--unseen", nargs="+", default=[], metavar="COURSE", help=unseen)
    pairs = "two runs to compare (default: all of up to three, else the first with each other)"
    page.add_argument("--compare", nargs=2, action="append", default=[], metavar=("RUN", "RUN"), help=pairs)
    worst = "answers shown of each run (default: 10)"
    page.add_argument("--worst", type=parse_whole, default=10, metavar="N", help=worst)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    if arguments.runs and arguments.student:
        raise UsageError("give either files of answers, for a page on them, or --student, for a student's report")
    if arguments.runs:
        return _page(arguments, settings)
    if not arguments.student:
        raise UsageError("name files of answers and --out DIR, or --student ID for a student's feedback report")
    course = find_course(settings, arguments.course)
    student = find_student(course, arguments.student)
    print(conversation.find_report(student, arguments.theory or settings.courses.theory))
    return 0


def _page(arguments: argparse.Namespace, settings: AssistantSettings) -> int:
    from eval.judge.local import LocalChecks
    from eval.judge.rubric import RUBRICS
    from eval.report.page import write_report
    from eval.report.report import build_report
    from eval.report.runs import ReportRequest, replace_unprintable
    from eval.tool_use.answers import read_expectations
    from tools.assembly.assistant import RecordedCourses

    if arguments.out is None:
        raise UsageError("say where the report goes: --out DIR")
    checks = LocalChecks(RecordedCourses(settings).check).judge if arguments.judge else None
    request = ReportRequest(
        arguments.runs,
        arguments.judgements,
        read_expectations(arguments.questions) if arguments.questions else {},
        checks,
        arguments.unseen,
        [(one, other) for one, other in arguments.compare],
        arguments.labels,
        arguments.worst,
        locate_courses(settings),
        arguments.rubrics or RUBRICS,
    )
    found = build_report(request)
    path = write_report(found, arguments.out)
    for sentence in found.missing:
        print(f"· {replace_unprintable(sentence)}")
    print(f"{path}: {len(found.loaded.runs)} runs, {len(found.tables)} tables, {len(found.charts)} figures")
    return 0
