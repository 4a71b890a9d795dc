"""How varied and how true the reports of a course are: `python -m data.reports.measure COURSE [--beside FOLDER]`.

Writes the reports of all students anew and says, for each theory, their length, how alike they read and how many
disagree with the data. Alike is the mean Jaccard overlap of the four-word sequences of two reports, over all pairs of
the first hundred. `--beside` puts another folder of reports of the same course next to them, for example older ones.
"""

import argparse
import itertools
import re
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from data.bundle import COURSES, find
from data.bundle_cohort import THEORIES
from data.course import Course
from data.reports.claims import Checker
from data.reports.compose import words, write_report

SEQUENCE = 4
COMPARED = 100
Reports = Mapping[tuple[str, str], str]
"""Texts by (student, theory)."""


def overlap(texts: Sequence[str]) -> float:
    """Mean share (0 to 1) of the four-word sequences that two of the texts have in common.

    Raises ValueError for fewer than two texts.
    """
    seen = [_sequences(text) for text in texts]
    pairs = list(itertools.combinations(seen, 2))
    if not pairs:
        raise ValueError("it takes two texts to compare")
    return statistics.fmean(len(one & other) / max(1, len(one | other)) for one, other in pairs)


def _sequences(text: str) -> set[tuple[str, ...]]:
    said = re.findall(r"[\w'’]+", text.lower())
    return {tuple(said[place : place + SEQUENCE]) for place in range(len(said) - SEQUENCE + 1)}


def written(course: Course) -> Reports:
    """The composed reports of all students."""
    return {(name, each): write_report(course, one, each) for name, one in course.students.items() for each in THEORIES}


def stored(folder: Path) -> Reports:
    """The reports in a folder, `<student>.<theory>.md`."""
    found = {}
    for path in sorted(folder.glob("*.*.md")):
        student, theory, _ = path.name.rsplit(".", 2)
        found[student, theory] = path.read_text(encoding="utf-8")
    return found


def described(course: Course, reports: Reports, theory: str) -> str:
    """One line on the reports of one theory."""
    texts = [text for (_, each), text in reports.items() if each == theory]
    lengths = [words(text) for text in texts]
    openings = len({text.split("\n")[0] for text in texts})
    check = Checker(course)
    wrong = sum(bool(check(text, course.student(who))) for (who, each), text in reports.items() if each == theory)
    return (
        f"{len(texts)} reports, {min(lengths)} to {max(lengths)} words (mean {statistics.fmean(lengths):.0f}), "
        f"overlap {overlap(texts[:COMPARED]):.4f}, {openings} different openings, {wrong} with a faulted claim"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what there is to say about a course's reports."""
    parser = argparse.ArgumentParser(prog="python -m data.reports.measure", description="Measure a course's reports.")
    parser.add_argument("course", help="id or alias of a course, or the folder of its bundle")
    parser.add_argument("--beside", type=Path, help="a folder with other reports on the same students")
    chosen = parser.parse_args(arguments)
    folder = Path(chosen.course)
    course = find(folder.name, folder.parent) if folder.is_dir() else find(chosen.course, COURSES)
    sets = {"composed": written(course)} | ({str(chosen.beside): stored(chosen.beside)} if chosen.beside else {})
    for theory in THEORIES:
        for name, reports in sets.items():
            print(f"{course.id} {theory} {name}: {described(course, reports, theory)}")


if __name__ == "__main__":
    main()
