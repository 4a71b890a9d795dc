"""What became of one row, and the line that is kept of it: the same keys whether it was answered or not."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from scribe.records import Record
from scribe.trajectory import Stop, Task, Trajectory

Status = Literal["ok", "unresolved", "error"]
"""ok: answered. unresolved: the model found no supported answer. error: we or the world failed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer of any kind: the kind of exception, and what it says."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """The record of one row under the row's id; `seconds` from its first step to its end."""

    record: Record
    seconds: float
    error: Failure | None = None

    @classmethod
    def failed(cls, id: str, task: Task, model: Mapping[str, str], seconds: float, error: Exception) -> "Result":
        """The result of a row for which this was raised."""
        failure = Failure(type(error).__name__, str(error) or "it does not say why")
        return cls(Record.of(Trajectory(task), id, model), seconds, failure)

    @property
    def status(self) -> Status:
        """How it ended, in one word."""
        if self.error is not None:
            return "error"
        return "ok" if self.record.stop is Stop.ANSWERED else "unresolved"

    def line(self, fingerprint: Mapping[str, str]) -> dict[str, Any]:
        """What is kept: the record, which `scribe.records` can read again, with what a batch adds to it."""
        kept = asdict(self.record)
        head = {"id": kept.pop("id"), "status": self.status}
        error = asdict(self.error) if self.error else None
        return {**head, **kept, "error": error, "seconds": self.seconds, "fingerprint": dict(fingerprint)}
