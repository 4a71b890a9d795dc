"""Writes the scaffold of a new course."""

import re
from datetime import date
from pathlib import Path
from typing import Literal, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from data.course import BundleError
from scribe.plumbing.files import replace_folder

TEMPLATES = Path(__file__).parent
FILES = ("course.toml", "topics.toml", "schedule.toml", "syllabus.md", "textbook/01.md", "exercises.jsonl")
FEWEST_WEEKS, MOST_WEEKS = 2, 30  # a report looks back on at least one and ahead to at least one

Language = Literal["en", "fr"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def new_course(name: str, courses: Path, start: date, language: Language = "en", weeks: int = 10) -> tuple[Path, ...]:
    """Write a course that passes all checks, whole or not at all; returns its files. Raises BundleError."""
    _check(name, start, language, weeks)
    folder = courses / name
    if folder.exists():
        raise BundleError(f"{folder}: exists already; choose another name or folder")
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES / language),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    facts = {"id": name, "title": name.replace("-", " ").capitalize(), "weeks": weeks, "start": start}
    try:
        with replace_folder(folder) as made:
            (made / "textbook").mkdir()
            for file in FILES:
                text = templates.get_template(file).render(facts, done=weeks // 2)
                (made / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BundleError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return tuple(folder / file for file in FILES)


def _check(name: str, start: date, language: str, weeks: int) -> None:
    if not _NAME.fullmatch(name):
        rule = "a course's name has small letters, digits and hyphens and begins with a letter, for example dsp-2"
        raise BundleError(f"{name!r}: {rule}")
    if language not in get_args(Language):
        raise BundleError(f"there are scaffolds in {', '.join(get_args(Language))}, not in {language!r}")
    if not FEWEST_WEEKS <= weeks <= MOST_WEEKS:
        raise BundleError(f"a course has {FEWEST_WEEKS} to {MOST_WEEKS} weeks, not {weeks}")
    if start.weekday():
        raise BundleError(f"week 1 must start on a Monday; {start} is a {start:%A}")
