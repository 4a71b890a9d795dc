"""`scribe agree` and `scribe agree label`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import command
from app.arguments.values import count, port, whole


def add(commands: Any) -> None:
    """Judges beside people, and the page on which people label."""
    agree = command(commands, "agree", "how far judges and people agree; see `agree label` too", "cli_agree:run")
    agree.add_argument("--judgements", type=Path, nargs="+", metavar="FILE", help="what `scribe judge` wrote")
    agree.add_argument("--labels", type=Path, nargs="+", metavar="DIR", help="what people labelled: folders or files")
    agree.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    under = agree.add_subparsers(metavar="COMMAND")
    label = command(under, "label", "open a page on which people label answers blind", "cli_agree:label")
    label.add_argument("answers", type=Path, nargs="+", metavar="ANSWERS", help="what `scribe answer` wrote")
    label.add_argument("--out", type=Path, required=True, metavar="DIR", help="the labels: one file for each person")
    label.add_argument("--person", nargs="+", required=True, metavar="NAME", help="who labels")
    label.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    label.add_argument("--rubrics", type=Path, metavar="DIR", help="a folder with rubrics of your own")
    label.add_argument("--tools", type=Path, metavar="FILE", help="tools beside the course's, as for `scribe judge`")
    label.add_argument("--sample", type=count, metavar="N", help="N questions, the same of every file (default: all)")
    label.add_argument("--seed", type=whole, default=0, metavar="N", help="which questions are drawn (default: 0)")
    label.add_argument("--host", default="127.0.0.1", help="address of this machine to listen on")
    label.add_argument("--port", type=port, default=7870, help="the next free one if it is taken (default: 7870)")
