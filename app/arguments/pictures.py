"""`scribe picture …`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import add_student, command


def add(commands: Any) -> None:
    """The pictures there are."""
    pictures = commands.add_parser("picture", help="draw what weighs for a student, the predictions or the topics")
    under = pictures.add_subparsers(required=True, metavar="KIND")
    drawn = {
        "importance": "what weighs in a student's expected result, week by week",
        "reliability": "how far the predictions can be trusted",
        "topics": "how the topics build on each other",
    }
    made = {kind: command(under, kind, what, f"cli_pictures:{kind}") for kind, what in drawn.items()}
    for picture in made.values():
        picture.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    add_student(made["importance"])
    made["importance"].add_argument("--all", action="store_true", help="every recorded behaviour, not only what weighs")
    for kind in ("reliability", "topics"):
        made[kind].add_argument("--course", help="id or alias of the course")
    chain = made["topics"].add_mutually_exclusive_group()
    chain.add_argument("--week", type=int, metavar="N", help="mark what this week builds on")
    chain.add_argument("--topic", metavar="NAME", help="mark what this topic builds on")
