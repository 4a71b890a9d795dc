"""What two readers said of the answers to fresh questions: ``python -m eval.readers [MARKS [RECORDS]]``.

Both files may be named: a campus that has its own readers writes the same lines.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Annotated

from annotated_types import Ge, Le
from pydantic import TypeAdapter

from eval.agreement.raters import measure_agreement
from eval.lines import parse_lines
from eval.significance import count_share
from eval.table import Cell, Table, to_cell
from scribe import records
from scribe.plumbing.errors import RecordError, ScribeError
from scribe.records import Record

HERE = Path(__file__).parent
CRITERIA = ("relevant", "actionable", "tool", "correct", "language")
"""The rubric's, as fields of a mark."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One reader's verdicts on one answer. naturalness: 1 (nobody would say it so) to 5. why: of each NO, in words."""

    id: str
    reader: str
    relevant: bool
    actionable: bool
    tool: bool
    correct: bool
    language: bool
    naturalness: Annotated[int, Ge(1), Le(5)]
    why: str = ""

    def says(self, criterion: str) -> bool:
        """The verdict on one criterion, or on "all" of them."""
        return all(getattr(self, each) for each in (CRITERIA if criterion == "all" else (criterion,)))


_MARK = TypeAdapter(Mark)


def main(words: Sequence[str] | None = None) -> int:
    """Print the shares by criterion and group, and how far the readers agree; 2 if the files do not fit together."""
    parser = argparse.ArgumentParser(prog="python -m eval.readers", description=__doc__)
    parser.add_argument(
        "marks", type=Path, nargs="?", default=HERE / "marks.jsonl", help="what readers said (default: ours)"
    )
    parser.add_argument("answers", type=Path, nargs="?", default=HERE / "answers.jsonl", help="the records they read")
    given = parser.parse_args(words)
    try:
        marks, answers = read_marks(given.marks), {each.id: each for each in records.read(given.answers)}
        for table in (make_share_table(marks, answers), make_agreement_table(marks)):
            print(f"{table.markdown()}\n")
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def read_marks(path: Path) -> list[Mark]:
    """Read the marks of a file, gzipped or not. Raises RecordError naming file and line."""
    return [mark for _, mark in parse_lines(path, _MARK, "the marks")]


def make_share_table(marks: Sequence[Mark], answers: Mapping[str, Record]) -> Table:
    """Give percent of YES by criterion, over both readers' verdicts, for all answers and for groups of them.

    Answers that are missing count as they were marked. Raises RecordError for a mark of an answer that is not there.
    """
    unknown = sorted({mark.id for mark in marks} - set(answers))
    if unknown:
        raise RecordError(f"the marks are of {unknown[0]!r}, which is not among the answers")
    rows: list[tuple[Cell, ...]] = []
    for name, chosen in _group(marks, answers):
        shares = [count_share(mark.says(criterion) for mark in chosen) for criterion in (*CRITERIA, "all")]
        natural = round(mean(mark.naturalness for mark in chosen), 1)
        number = len({mark.id for mark in chosen})
        rows.append((name, number, *(round(100 * share.value) for share in shares), natural))
    head = ("answers", "number", *CRITERIA, "all five", "naturalness")
    return Table("readers", "Percent of YES, both readers together", head, rows)


def make_agreement_table(marks: Sequence[Mark]) -> Table:
    """Measure how far each two readers agree on the answers that both marked, by criterion."""
    by_reader: dict[str, dict[str, Mark]] = defaultdict(dict)
    for mark in marks:
        by_reader[mark.reader][mark.id] = mark
    rows: list[tuple[Cell, ...]] = []
    for one, other in combinations(sorted(by_reader), 2):
        ours, theirs = by_reader[one], by_reader[other]
        both = sorted(ours.keys() & theirs.keys())
        for criterion in CRITERIA:
            found = measure_agreement((ours[id].says(criterion), theirs[id].says(criterion)) for id in both)
            shares = [round(100 * share.value) for share in (found.one, found.other, found.agreed)]
            rows.append((f"{one}, {other}", criterion, *shares, to_cell(found.kappa)))
    return Table("agreement", "How far the readers agree", ("readers", "", "one", "other", "same", "kappa"), rows)


def _group(marks: Sequence[Mark], answers: Mapping[str, Record]) -> Iterator[tuple[str, list[Mark]]]:
    """All, each course, each language, follow-ups, and what got an answer at all."""
    groupings: tuple[Callable[[Record], str], ...] = (
        lambda record: record.task.course,
        lambda record: record.task.language,
        lambda record: "follow-up" if record.task.history else "first question",
        lambda record: "answered" if record.answer else "no answer",
    )
    yield "all", list(marks)
    for name_group in groupings:
        groups: dict[str, list[Mark]] = defaultdict(list)
        for mark in marks:
            groups[name_group(answers[mark.id])].append(mark)
        yield from sorted(groups.items())


if __name__ == "__main__":
    sys.exit(main())
