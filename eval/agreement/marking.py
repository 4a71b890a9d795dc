"""How people mark things blind by criteria: an order of each one's own, and a file that is written before what follows.

What the things are, and what can be said of them, is whoever's who uses it: answers and yes or no, pairs of dialogues
and which is better. The file is the truth; nothing else is kept.
"""

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from eval.lines import parse_line, parse_lines
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, lock, write_bytes

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)

Key = tuple[str, str, str]
"""What was marked, which text it had, criterion."""
_NAME = re.compile(r"[^\W_][\w -]{0,39}")


class MarkLine(Protocol[V_co]):
    """One line of a person's file, a dataclass. answer: what was marked, by its name; of: which text it had."""

    @property
    def person(self) -> str: ...
    @property
    def answer(self) -> str: ...
    @property
    def criterion(self) -> str: ...
    @property
    def value(self) -> V_co: ...
    @property
    def of(self) -> str: ...


class MarkedItem(Protocol):
    """What is marked. name: as lines name it, which whoever marks must not see; of: which text it has."""

    @property
    def name(self) -> str: ...
    @property
    def of(self) -> str: ...


class MarkCriterion(Protocol):
    """By what it is marked."""

    @property
    def id(self) -> str: ...


M = TypeVar("M", bound=MarkedItem)
C = TypeVar("C", bound=MarkCriterion)


@dataclass(frozen=True, slots=True)
class MarkRequest(Generic[M, C, V]):
    """One thing by one criterion. number: its place in this person's order, which tells nothing about where it is from.

    given: what the person said of it before, if anything.
    """

    number: int
    item: M
    rubric: C
    given: V | None


def sort_for(person: str, items: Sequence[M]) -> list[M]:
    """Sort the items in this person's own order, the same at every start."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{person}\n{item.name}".encode()).digest())


def read_marks(path: Path, kind: Callable[[str, str, str, V, str], MarkLine[V]]) -> Iterator[MarkLine[V]]:
    """The lines of a person's file. kind: the lines' dataclass. Raises RecordError that names file and line."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return (mark for _, mark in parse_lines(path, adapter, "the labels"))


class MarksFile(Generic[V]):
    """One person's marks in a folder, lines of one kind.

    Raises UsageError for a name that cannot be a file's, or RecordError.
    """

    def __init__(self, folder: Path, person: str, kind: Callable[[str, str, str, V, str], MarkLine[V]]) -> None:
        if not _NAME.fullmatch(person):
            raise UsageError(f"{person!r} cannot be the name of a file; use letters, digits, blanks, - and _")
        self.person, self._kind = person, kind
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self.path = folder / f"{person}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        self.path.touch(PRIVATE)
        self.labels()

    def labels(self) -> dict[Key, V]:
        """What was marked → the last mark given. Raises RecordError."""
        return {_key_of(mark): mark.value for mark in read_marks(self.path, self._kind)}

    def add(self, key: Key, value: V) -> None:
        """Write a mark; when this returns it survives a power cut. Raises OSError."""
        answer, of, criterion = key
        line: Any = self._kind(self.person, answer, criterion, value, of)
        with self._edit() as lines:
            lines.append(json.dumps(asdict(line), ensure_ascii=False).encode("utf-8"))

    def take_back(self, among: Container[Key]) -> Key | None:
        """Remove the last line if it is of one of these, and say of which; else None. Raises RecordError or OSError.

        The file may hold marks of other things, which nobody sees now and nobody must lose.
        """
        with self._edit() as lines:
            last = _key_of(parse_line(lines[-1], self._adapter, f"{self.path}:{len(lines)}")) if lines else None
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


class Marking(Generic[M, C, V]):
    """A person's marks of these things by these criteria, in an order of their own.

    The criteria of one thing follow each other, so that it is read once.
    """

    def __init__(self, items: Sequence[M], rubrics: Sequence[C], file: MarksFile[V]) -> None:
        ordered = sort_for(file.person, items)
        self._requests = [(item, rubric) for item in ordered for rubric in rubrics]
        self._numbers = {_key(item, rubric): number for number, (item, rubric) in enumerate(self._requests)}
        self._file = file

    @property
    def count(self) -> int:
        """How many marks there are to give."""
        return len(self._requests)

    @property
    def done(self) -> int:
        """How many are given."""
        return len(self._file.labels().keys() & self._numbers.keys())

    def at(self, number: int) -> MarkRequest[M, C, V]:
        """What is asked under this number. Raises UsageError if there is none."""
        if not 0 <= number < len(self._requests):
            raise UsageError(f"there is no answer {number}; load the page again")
        item, rubric = self._requests[number]
        return MarkRequest(number, item, rubric, self._file.labels().get(_key(item, rubric)))

    def next(self, after: int = -1) -> MarkRequest[M, C, V] | None:
        """The first without a mark behind `after`, else what was skipped before it; None when all is done."""
        given = self._file.labels()
        open_ones = [number for key, number in self._numbers.items() if key not in given]
        later = [number for number in open_ones if number > after]
        return self.at((later or open_ones)[0]) if open_ones else None

    def label(self, number: int, value: V) -> MarkRequest[M, C, V] | None:
        """Keep this mark, and give what is next. The same again changes nothing. Raises UsageError or OSError."""
        request = self.at(number)
        if request.given != value:
            self._file.add(_key(request.item, request.rubric), value)
        return self.next(number)

    def back(self) -> MarkRequest[M, C, V] | None:
        """Take the last mark back and ask again; what is next if the last is of none of these things."""
        taken = self._file.take_back(self._numbers)
        return self.at(self._numbers[taken]) if taken else self.next()


def _key_of(mark: MarkLine[Any]) -> Key:
    return mark.answer, mark.of, mark.criterion


def _key(item: MarkedItem, rubric: MarkCriterion) -> Key:
    return item.name, item.of, rubric.id
