"""What a batch left behind: how its file is looked at after a kill, and at the end."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scribe import records

Row = Mapping[str, Any]
Right = Callable[[str, str | None], bool]
"""Whether an answer, if there is one, can be this question's."""
UNRESOLVED = 3
"""The exit code of a run that left some rows without an answer, which a small model does."""

HEAD = ("kills", "of these midway", "torn last line", "rows", "lost", "twice", "wrong", "answered", "minutes")


@dataclass(frozen=True, slots=True)
class Found:
    """What a batch looked like after all its kills.

    kills: runs that were really killed; midway: those that had written a row by then; torn: those after which the
    file ended in half a line. lost, twice, wrong: ids, wrong being those with another question, student or answer.
    code: of the last run.
    """

    kills: int
    midway: int
    torn: int
    rows: int
    lost: tuple[str, ...]
    twice: tuple[str, ...]
    wrong: tuple[str, ...]
    answered: int
    code: int
    seconds: float

    @property
    def good(self) -> bool:
        return not (self.lost or self.twice or self.wrong) and self.code in (0, UNRESOLVED)

    def numbers(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self) | {"good": self.good}

    def row(self) -> list[str]:
        """The row under `HEAD`."""
        counts = self.kills, self.midway, self.torn, self.rows, len(self.lost), len(self.twice), len(self.wrong)
        return [*map(str, counts), str(self.answered), f"{self.seconds / 60:.1f}"]


@dataclass(frozen=True, slots=True)
class Kills:
    """How many runs were killed, how many of them midway, and how many files were torn by it; see `Found`."""

    done: int = 0
    midway: int = 0
    torn: int = 0


def lines(path: Path) -> tuple[int, bool]:
    """How many whole lines a file has, and whether half a line follows. Raises RecordError for a line that is none."""
    *whole, rest = (path.read_bytes() if path.exists() else b"").split(b"\n")
    for number, line in enumerate(whole, start=1):
        records.from_json(line, f"{path}:{number}")
    return len(whole), bool(rest)


def found(path: Path, rows: Sequence[Row], right: Right, kills: Kills, code: int, seconds: float) -> Found:
    """The file at the end, held against the rows that were asked."""
    kept = [json.loads(line) for line in path.read_bytes().splitlines()]
    counts = Counter(str(each["id"]) for each in kept)
    asked = {str(row["id"]): row for row in rows}
    return Found(
        kills=kills.done,
        midway=kills.midway,
        torn=kills.torn,
        rows=len(rows),
        lost=tuple(id for id in asked if id not in counts),
        twice=tuple(id for id, count in counts.items() if count > 1),
        wrong=tuple(str(each["id"]) for each in kept if not _belongs(each, asked.get(str(each["id"])), right)),
        answered=sum(each["status"] == "ok" for each in kept),
        code=code,
        seconds=seconds,
    )


def _belongs(kept: Row, row: Row | None, right: Right) -> bool:
    """Whether a line answers the row of its id."""
    if row is None or kept["status"] == "error":
        return False
    task = kept["task"]
    same = all(task[name] == row[name] for name in ("course", "student", "question"))
    return same and right(row["question"], kept["answer"])
