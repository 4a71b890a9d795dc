"""Reports made false in one place: a number, a week, a topic, a comparison or a behaviour."""

import random
import re
from collections.abc import Callable, Mapping

from data.catalogue import load_catalogue
from data.course import Course

_SWAPS = {
    "below the": "above the",
    "less than the ": "more than the ",
    "lower than": "higher than",
    "better than the": "weaker than the",
    "ahead of the": "behind the",
    "lies under": "lies over",
    "lowest": "highest",
}
SWAPS = {**_SWAPS, **{new: old for old, new in _SWAPS.items()}}


def _replaced(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def number(report: str, course: Course, chance: random.Random) -> str | None:
    """Another value somewhere."""
    found = [one for one in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?", report) if not _is_mark(report, one)]
    if not found:
        return None
    one = chance.choice(found)
    return _replaced(report, one, f"{float(one.group()) * chance.choice((2, 3)) + chance.choice((1, 4, 7)):g}")


def _is_mark(report: str, one: re.Match[str]) -> bool:
    """A week's number, or that of an action."""
    before = report[: one.start()]
    return before.endswith(("week ", "weeks ", " and ")) or (before.endswith("\n") and report[one.end()] == ".")


def week(report: str, course: Course, chance: random.Random) -> str | None:
    """Another week somewhere."""
    one = chance.choice(list(re.finditer(r"\b(?<=week )\d+|(?<=weeks )\d+|(?<=weeks \d and )\d+", report)))
    others = [number for number in range(1, course.weeks + 1) if number != int(one.group())]
    return _replaced(report, one, str(chance.choice(others)))


def topic(report: str, course: Course, chance: random.Random) -> str | None:
    """A topic of another week in place of one of the actions' topics."""
    steps = report.index("\n1. ")
    names = "|".join(sorted(map(re.escape, course.topics), key=len, reverse=True))
    found = list(re.compile(rf"(?<!\w)(?:{names})(?!\w)").finditer(report, steps))
    if not found:
        return None
    one = chance.choice(found)
    others = [name for name in course.topics if course.week_of(name) != course.week_of(one.group())]
    return _replaced(report, one, chance.choice(others))


def side(report: str, course: Course, chance: random.Random) -> str | None:
    """A comparison turned around."""
    found = list(re.finditer("|".join(map(re.escape, SWAPS)), report))
    if not found:
        return None
    one = chance.choice(found)
    return _replaced(report, one, SWAPS[one.group()])


def feature(report: str, course: Course, chance: random.Random) -> str | None:
    """Another behaviour in place of one."""
    labels = sorted((each.label for each in load_catalogue()), key=len, reverse=True)
    found = list(re.finditer("|".join(map(re.escape, labels)), report))
    if not found:
        return None
    one = chance.choice(found)
    return _replaced(report, one, chance.choice([label for label in labels if label != one.group()]))


MUTATIONS: Mapping[str, Callable[[str, Course, random.Random], str | None]] = {
    "number": number,
    "week": week,
    "topic": topic,
    "side": side,
    "feature": feature,
}
