"""`scribe report`: a page on runs of an evaluation, or one student's feedback report."""

import argparse
from pathlib import Path
from typing import Any

from app.arguments.shared import command
from app.arguments.values import whole

COMPARED = """\
runs that are worth comparing, each answered by `scribe answer` and judged by `scribe judge`:
  base and fine-tuned    scribe report base.jsonl tuned.jsonl --out page
  ours and an API model  scribe answer IN --out api.jsonl --backend api ...   (the same loop and tools)
                         scribe report tuned.jsonl api.jsonl --out page
  courses seen, unseen   scribe report base.jsonl tuned.jsonl --unseen lnv --out page
  with an unseen tool    scribe report without=a.jsonl with=b.jsonl --out page
  ablation, trend        scribe report rank@32=a.jsonl rank@64=b.jsonl rank@256=c.jsonl --out page
  only some pairs        scribe report a.jsonl b.jsonl c.jsonl --compare a b --compare a c --out page
no judge at hand:        scribe report a.jsonl --judge local --out page
"""


def add(commands: Any) -> None:
    """Both kinds of report: with files of answers it is the page, without any it is a student's."""
    report = command(
        commands, "report", "a page on runs (RUN… --out DIR), or a student's feedback report (--student ID)",
        "cli_report:run",
    )  # fmt: skip
    report.epilog = COMPARED
    report.formatter_class = argparse.RawDescriptionHelpFormatter
    _add_page(report)
    student = report.add_argument_group("a student's feedback report")
    student.add_argument("--course", help="id or alias of the course")
    student.add_argument("--student", metavar="ID", help="`scribe students` lists them")
    student.add_argument("--theory", metavar="nr|ac|con", help="the kind of report")


def _add_page(report: argparse.ArgumentParser) -> None:
    told = "what `scribe answer` wrote; NAME=FILE names it, FAMILY@SETTING=FILE makes it part of an ablation"
    report.add_argument("runs", nargs="*", metavar="RUN", help=told)
    page = report.add_argument_group("a page on runs")
    page.add_argument("--out", type=Path, metavar="DIR", help="index.html, csv/ and png/ are written there")
    beside = "what `scribe judge` wrote, where it does not lie beside the answers as NAME.judgements.jsonl"
    page.add_argument("--judgements", type=Path, nargs="+", default=[], metavar="FILE", help=beside)
    local = "check the answers first by fixed rules, without a model; they stand for no judge"
    page.add_argument("--judge", choices=("local",), help=local)
    page.add_argument("--labels", type=Path, nargs="+", default=[], metavar="DIR", help="what people labelled")
    page.add_argument("--rubrics", type=Path, metavar="DIR", help="where your own criteria are defined")
    page.add_argument("--questions", type=Path, metavar="FILE", help="for categories and acceptable first tools")
    page.add_argument(
        "--unseen", nargs="+", default=[], metavar="COURSE", help="ids of courses not seen in training; shown apart too"
    )
    pairs = "two runs to compare (default: all of up to three, else the first with each other)"
    page.add_argument("--compare", nargs=2, action="append", default=[], metavar=("RUN", "RUN"), help=pairs)
    page.add_argument("--worst", type=whole, default=10, metavar="N", help="answers shown of each run (default: 10)")
