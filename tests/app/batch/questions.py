"""Files of questions about the course of three weeks, and what a run made of them."""

import json
from pathlib import Path
from typing import Any

from tests.app.told import mini_courses

STUDENTS = ("s001", "s002", "s003")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def courses(folder: Path) -> Path:
    """A folder of courses with "mini", whose three students all have a report."""
    made = mini_courses(folder)
    for student in STUDENTS:
        (made / "mini" / "reports" / f"{student}.nr.md").write_text("Your sessions were few.\n")
    return made


def row(number: int, **changes: Any) -> dict[str, Any]:
    """One row; its question is no other's, and names no number that a check could stumble over."""
    word = "".join(_LETTERS[int(digit)] for digit in f"{number:03}")
    fields = {"id": f"q{number}", "course": "mini", "student": STUDENTS[number % 3], "question": f"Why {word}?"}
    return {name: value for name, value in (fields | changes).items() if value is not None}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    """What a run wrote."""
    return [json.loads(line) for line in path.read_text().splitlines()]
