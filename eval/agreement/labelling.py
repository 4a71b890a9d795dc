"""One person's way through the answers: what is next, what they said, and back again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.agreement.labels_file import Key, LabelsFile
from eval.agreement.sample import Item, order
from eval.judge.rubric import Rubric
from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer by one criterion. number: its place in this person's order, which tells nothing about the run.

    given: what the person said of it before, if anything.
    """

    number: int
    item: Item
    rubric: Rubric
    given: bool | None


class Labelling:
    """A person's labels of these answers by these criteria. The file is the truth; nothing else is kept.

    An answer's criteria follow each other, so that it is read once. Raises UsageError or RecordError.
    """

    def __init__(self, items: Sequence[Item], rubrics: Sequence[Rubric], folder: Path, person: str) -> None:
        self._asked = [(item, rubric) for item in order(items, person) for rubric in rubrics]
        self._numbers = {_key(item, rubric): number for number, (item, rubric) in enumerate(self._asked)}
        self._file = LabelsFile(folder, person)

    @property
    def count(self) -> int:
        """How many labels there are to give."""
        return len(self._asked)

    @property
    def done(self) -> int:
        """How many are given."""
        return len(self._file.labels().keys() & self._numbers.keys())

    def at(self, number: int) -> Asked:
        """What is asked under this number. Raises UsageError if there is none."""
        if not 0 <= number < len(self._asked):
            raise UsageError(f"there is no answer {number}; load the page again")
        item, rubric = self._asked[number]
        return Asked(number, item, rubric, self._file.labels().get(_key(item, rubric)))

    def next(self, after: int = -1) -> Asked | None:
        """The first without a label behind `after`, else what was skipped before it; None when all is done."""
        given = self._file.labels()
        open_ones = [number for key, number in self._numbers.items() if key not in given]
        later = [number for number in open_ones if number > after]
        return self.at((later or open_ones)[0]) if open_ones else None

    def label(self, number: int, value: bool) -> Asked | None:
        """Keep this label, and give what is next. The same again changes nothing. Raises UsageError or OSError."""
        asked = self.at(number)
        if asked.given is not value:
            self._file.add(_key(asked.item, asked.rubric), value)
        return self.next(number)

    def back(self) -> Asked | None:
        """Take the last label back and ask again; what is next if the last is of none of these answers."""
        taken = self._file.take_back(self._numbers)
        return self.at(self._numbers[taken]) if taken else self.next()


def _key(item: Item, rubric: Rubric) -> Key:
    return item.name, item.of, rubric.id
