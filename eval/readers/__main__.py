"""What two readers said of the answers to fresh questions: ``python -m eval.readers [MARKS [RECORDS]]``.

Both files may be named: a campus that has its own readers writes the same lines.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from eval.agreement.raters import measure_agreement
from eval.readers.marks import CRITERIA, Mark, read_marks
from eval.significance import count_share
from eval.table import Cell, Table
from scribe import records
from scribe.errors import RecordError, ScribeError
from scribe.records import Record

HERE = Path(__file__).parent
MARKS, ANSWERS = HERE / "marks.jsonl", HERE / "answers.jsonl"


def main(words: Sequence[str] | None = None) -> int:
    """Print the shares by criterion and group, and how far the readers agree; 2 if the files do not fit together."""
    parser = argparse.ArgumentParser(prog="python -m eval.readers", description=__doc__)
    parser.add_argument("marks", type=Path, nargs="?", default=MARKS, help="what readers said (default: ours)")
    parser.add_argument("answers", type=Path, nargs="?", default=ANSWERS, help="the records that they read")
    given = parser.parse_args(words)
    try:
        marks, answers = read_marks(given.marks), {each.id: each for each in records.read(given.answers)}
        for table in (shares(marks, answers), agreements(marks)):
            print(f"{table.markdown()}\n")
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def shares(marks: Sequence[Mark], answers: Mapping[str, Record]) -> Table:
    """Percent of YES by criterion, over both readers' verdicts, for all answers and for groups of them.

    Answers that are missing count as they were marked. Raises RecordError for a mark of an answer that is not there.
    """
    unknown = sorted({mark.id for mark in marks} - set(answers))
    if unknown:
        raise RecordError(f"the marks are of {unknown[0]!r}, which is not among the answers")
    rows: list[tuple[Cell, ...]] = []
    for name, chosen in _groups(marks, answers):
        told = [count_share(mark.says(criterion) for mark in chosen) for criterion in (*CRITERIA, "all")]
        natural = round(mean(mark.naturalness for mark in chosen), 1)
        number = len({mark.id for mark in chosen})
        rows.append((name, number, *(round(100 * each.value) for each in told), natural))
    head = ("answers", "number", *CRITERIA, "all five", "naturalness")
    return Table("readers", "Percent of YES, both readers together", head, rows)


def agreements(marks: Sequence[Mark]) -> Table:
    """How far each two readers agree on the answers that both marked, by criterion."""
    by_reader: dict[str, dict[str, Mark]] = defaultdict(dict)
    for mark in marks:
        by_reader[mark.reader][mark.id] = mark
    readers = sorted(by_reader)
    rows: list[tuple[Cell, ...]] = []
    for place, one in enumerate(readers):
        for other in readers[place + 1 :]:
            both = sorted(by_reader[one].keys() & by_reader[other].keys())
            for criterion in CRITERIA:
                found = measure_agreement(
                    (by_reader[one][id].says(criterion), by_reader[other][id].says(criterion)) for id in both
                )
                told = (found.one, found.other, found.agreed)
                rows.append((f"{one}, {other}", criterion, *(round(100 * each.value) for each in told), found.kappa))
    return Table("agreement", "How far the readers agree", ("readers", "", "one", "other", "same", "kappa"), rows)


def _groups(marks: Sequence[Mark], answers: Mapping[str, Record]) -> Iterator[tuple[str, list[Mark]]]:
    """All, each course, each language, follow-ups, and what got an answer at all."""
    yield "all", list(marks)
    yield from _by(marks, lambda mark: answers[mark.id].task.course)
    yield from _by(marks, lambda mark: answers[mark.id].task.language)
    yield from _by(marks, lambda mark: "follow-up" if answers[mark.id].task.history else "first question")
    yield from _by(marks, lambda mark: "answered" if answers[mark.id].answer else "no answer")


def _by(marks: Iterable[Mark], name: Callable[[Mark], str]) -> Iterator[tuple[str, list[Mark]]]:
    groups: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        groups[name(mark)].append(mark)
    yield from sorted(groups.items())


if __name__ == "__main__":
    sys.exit(main())
