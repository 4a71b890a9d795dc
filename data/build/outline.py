"""A course without its students: the plan and the grading scheme."""

import tomllib
from pathlib import Path

from data.course import BundleError, Course, GradedItem, Prerequisite, Week


def outline(folder: Path) -> Course:
    """The course as course.toml and topics.toml have it; syllabus, textbook, exercises and students stay empty.

    The other material may be unfinished. Raises BundleError if these two files cannot be read.
    """
    try:
        head = tomllib.loads((folder / "course.toml").read_text(encoding="utf-8"))
        topics = tomllib.loads((folder / "topics.toml").read_text(encoding="utf-8"))
        plan = tuple(_week(week) for week in topics["weeks"])
        edges = tuple(Prerequisite(**edge) for edge in topics["prerequisites"])
        grading = tuple(GradedItem(**item) for item in head["grading"])
        facts = head | {"aliases": tuple(head["aliases"]), "grading": grading}
        empty: dict[str, object] = {"syllabus": (), "textbook": (), "exercises": (), "students": {}}
        return Course(**(facts | empty), plan=plan, prerequisites=edges)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        reason = f"course.toml and topics.toml are needed ({type(error).__name__}: {error})"
        raise BundleError(f"{folder}: the outline of the course cannot be read; {reason}") from error


def _week(entry: dict[str, object]) -> Week:
    """One week; its lists become tuples, which is what a frozen course holds."""
    return Week(**{name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()})  # type: ignore[arg-type]
