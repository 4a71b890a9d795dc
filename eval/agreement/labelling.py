"""What people label and in which order, and the file of one person's labels, written before the next answer is shown.

All label the same questions of every run, each in an order of their own, so that tiredness falls on no run.
"""

import hashlib
import random
import re
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval.agreement.ratings import name_answer
from eval.judge.items import name_runs
from eval.judge.judgement import Label, digest_answer, parse_label, read_labels, to_json
from eval.judge.rubric import Rubric
from eval.tool_use.answers import read_answers
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, lock, write_bytes
from scribe.records import Record

Key = tuple[str, str, str]
"""Answer, which text it had, criterion."""
_NAME = re.compile(r"[^\W_][\w -]{0,39}")


@dataclass(frozen=True, slots=True)
class LabelItem:
    """One answer to label. name: as labels name it; whoever labels must not see it, for it tells the run.

    of: which text it is, as a label says it.
    """

    name: str
    record: Record
    of: str


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """One answer by one criterion. number: its place in this person's order, which tells nothing about the run.

    given: what the person said of it before, if anything.
    """

    number: int
    item: LabelItem
    rubric: Rubric
    given: bool | None


def draw_sample(answers: Sequence[Path], questions: int | None = None, seed: int = 0) -> list[LabelItem]:
    """Draw the answers to `questions` questions (all unless given) that every file has.

    Runs are named as `scribe judge` names them. Raises UsageError for files that share no id, or RecordError.
    """
    runs = {run: _read_answered(path) for run, path in zip(name_runs(answers), answers, strict=True)}
    shared = sorted(set.intersection(*(set(rows) for rows in runs.values())))
    if not shared:
        raise UsageError("no question is answered in every file; give files that answer the same questions")
    if questions is not None and questions < len(shared):
        shared = sorted(random.Random(seed).sample(shared, questions))
    return [
        LabelItem(name_answer(run, id), rows[id], digest_answer(rows[id]))
        for run, rows in runs.items()
        for id in shared
    ]


def _read_answered(path: Path) -> dict[str, Record]:
    """By id. A row that failed has nothing to label."""
    found = {row.id: row.record for row in read_answers(path) if row.record.answer is not None}
    if not found:
        raise UsageError(f"{path} holds no answer; give a file that `scribe answer` wrote")
    return found


def sort_for(person: str, items: Sequence[LabelItem]) -> list[LabelItem]:
    """Sort the items in this person's own order, the same at every start."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{person}\n{item.name}".encode()).digest())


class LabelsFile:
    """One person's labels in a folder. Raises UsageError for a name that cannot be a file's, or RecordError."""

    def __init__(self, folder: Path, person: str) -> None:
        if not _NAME.fullmatch(person):
            raise UsageError(f"{person!r} cannot be the name of a file; use letters, digits, blanks, - and _")
        self.person = person
        self.path = folder / f"{person}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        self.path.touch(PRIVATE)
        self.labels()

    def labels(self) -> dict[Key, bool]:
        """What was labelled → the last label given. Raises RecordError."""
        return {_key_of(label): label.value for label in read_labels(self.path)}

    def add(self, key: Key, value: bool) -> None:
        """Write a label; when this returns it survives a power cut. Raises OSError."""
        answer, of, criterion = key
        with self._edit() as lines:
            lines.append(to_json(Label(self.person, answer, criterion, value, of)).encode("utf-8"))

    def take_back(self, among: Container[Key]) -> Key | None:
        """Remove the last line if it is of one of these, and say of which; else None. Raises RecordError or OSError.

        The file may hold labels of other answers, which nobody sees now and nobody must lose.
        """
        with self._edit() as lines:
            last = _key_of(parse_label(lines[-1], f"{self.path}:{len(lines)}")) if lines else None
            if last is None or last not in among:
                return None
            lines.pop()
        return last

    @contextmanager
    def _edit(self) -> Iterator[list[bytes]]:
        """The lines, ours alone for one move, and written anew after it: the same person may have two pages open."""
        with lock(self.path):
            before = [line for line in self.path.read_bytes().splitlines() if line.strip()]
            lines = list(before)
            yield lines
            if lines != before:
                write_bytes(self.path, b"".join(line + b"\n" for line in lines), PRIVATE)


def _key_of(label: Label) -> Key:
    return label.answer, label.of, label.criterion


class Labelling:
    """A person's labels of these answers by these criteria. The file is the truth; nothing else is kept.

    An answer's criteria follow each other, so that it is read once. Raises UsageError or RecordError.
    """

    def __init__(self, items: Sequence[LabelItem], rubrics: Sequence[Rubric], folder: Path, person: str) -> None:
        self._requests = [(item, rubric) for item in sort_for(person, items) for rubric in rubrics]
        self._numbers = {_key(item, rubric): number for number, (item, rubric) in enumerate(self._requests)}
        self._file = LabelsFile(folder, person)

    @property
    def count(self) -> int:
        """How many labels there are to give."""
        return len(self._requests)

    @property
    def done(self) -> int:
        """How many are given."""
        return len(self._file.labels().keys() & self._numbers.keys())

    def at(self, number: int) -> LabelRequest:
        """What is asked under this number. Raises UsageError if there is none."""
        if not 0 <= number < len(self._requests):
            raise UsageError(f"there is no answer {number}; load the page again")
        item, rubric = self._requests[number]
        return LabelRequest(number, item, rubric, self._file.labels().get(_key(item, rubric)))

    def next(self, after: int = -1) -> LabelRequest | None:
        """The first without a label behind `after`, else what was skipped before it; None when all is done."""
        given = self._file.labels()
        open_ones = [number for key, number in self._numbers.items() if key not in given]
        later = [number for number in open_ones if number > after]
        return self.at((later or open_ones)[0]) if open_ones else None

    def label(self, number: int, value: bool) -> LabelRequest | None:
        """Keep this label, and give what is next. The same again changes nothing. Raises UsageError or OSError."""
        request = self.at(number)
        if request.given is not value:
            self._file.add(_key(request.item, request.rubric), value)
        return self.next(number)

    def back(self) -> LabelRequest | None:
        """Take the last label back and ask again; what is next if the last is of none of these answers."""
        taken = self._file.take_back(self._numbers)
        return self.at(self._numbers[taken]) if taken else self.next()


def _key(item: LabelItem, rubric: Rubric) -> Key:
    return item.name, item.of, rubric.id
