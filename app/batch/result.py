"""What became of one row, the line that is kept of it, and who answers which row next."""

import threading
from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from app.batch.rows import QuestionRow
from scribe.records import Record
from scribe.trajectory import Stop, Task, Trajectory

Status = Literal["ok", "unresolved", "error"]
"""ok: answered. unresolved: the model found no supported answer. error: we or the world failed."""


@dataclass(frozen=True, slots=True)
class RowResult:
    """The record of one row under the row's id; `seconds` from its first step to its end.

    error: why there is no answer of any kind: the "type" of exception, and its "message".
    """

    record: Record
    seconds: float
    error: Mapping[str, str] | None = None

    @classmethod
    def failed(cls, id: str, task: Task, model: Mapping[str, str], seconds: float, error: Exception) -> "RowResult":
        why = {"type": type(error).__name__, "message": str(error) or "it does not say why"}
        return cls(Record.of(Trajectory(task), id, model), round(seconds, 3), why)

    @property
    def status(self) -> Status:
        if self.error is not None:
            return "error"
        return "ok" if self.record.stop is Stop.ANSWERED else "unresolved"

    def line(self, fingerprint: Mapping[str, str]) -> dict[str, Any]:
        """What is kept: the record, which `scribe.records` can read again, with what a batch adds to it."""
        more = {"error": self.error, "seconds": self.seconds, "fingerprint": dict(fingerprint)}
        return {"id": self.record.id, "status": self.status, **asdict(self.record), **more}


STATUSES: tuple[Status, ...] = get_args(Status)

_Whose = tuple[str, str, str]


class Shares:
    """Rows that are still to be answered. Any number of threads may take some; each row is taken once."""

    def __init__(self, rows: Iterable[QuestionRow]) -> None:
        self._groups: dict[_Whose, deque[QuestionRow]] = {}
        self._last: dict[Hashable, _Whose] = {}
        self._lock = threading.Lock()
        for row in rows:
            self._groups.setdefault(_whose(row), deque()).append(row)

    def take(self, worker: Hashable) -> QuestionRow | None:
        """The next row for this worker, or None if there is none left.

        First of the student it had last, then of one that nobody has, then of whoever has most left.
        """
        with self._lock:
            if not self._groups:
                return None
            own, taken = self._last.get(worker), set(self._last.values())
            others = max(self._groups, key=lambda each: (each not in taken, each in taken and len(self._groups[each])))
            whose = self._last[worker] = own if own in self._groups else others
            group = self._groups[whose]
            row = group.popleft()
            if not group:
                del self._groups[whose]
            return row

    def put_back(self, row: QuestionRow) -> None:
        """A row that was taken and not answered; it comes first among those of its student."""
        with self._lock:
            self._groups.setdefault(_whose(row), deque()).appendleft(row)


def _whose(row: QuestionRow) -> _Whose:
    return row.course, row.student, row.theory
