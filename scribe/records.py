"""Trajectories to and from JSON: one record a line."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from scribe.plumbing.errors import RecordError
from scribe.plumbing.files import replace_file
from scribe.trajectory import Act, Answer, Fault, Stop, Task, Trajectory, Usage

DiskStep = Annotated[Act | Fault | Answer, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of one question: the trajectory, what answered it, and an id."""

    id: str
    task: Task
    steps: tuple[DiskStep, ...]
    stop: Stop | None
    answer: str | None
    usage: Usage
    model: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, trajectory: Trajectory, id: str, model: Mapping[str, str]) -> "Record":
        t = trajectory
        return cls(id, t.task, t.steps, t.stop, t.answer, t.usage, dict(model))

    @property
    def trajectory(self) -> Trajectory:
        """The trajectory as it was."""
        return Trajectory(self.task, self.steps, self.stop, self.usage)


_ADAPTER = TypeAdapter(Record)


def to_json(record: Record, indent: int | None = None) -> str:
    """One record as JSON text; without indent it is one line."""
    return json.dumps(asdict(record), ensure_ascii=False, indent=indent)


def from_json(text: str | bytes, where: str = "record") -> Record:
    """A record from JSON text. Raises RecordError that names `where`."""
    try:
        data: Any = json.loads(text, parse_float=_read_finite, parse_constant=_read_finite)
        json.dumps(data, ensure_ascii=False).encode("utf-8")  # no halves of characters, which no file can hold
        return _ADAPTER.validate_python(data)
    except ValidationError as error:
        problem = error.errors()[0]
        field_name = ".".join(map(str, problem["loc"])) or "the whole of it"
        raise RecordError(f"{where}: not a readable record: {field_name}: {problem['msg']}") from error
    except (ValueError, RecursionError) as error:  # of JSON or UTF-8
        first = str(error).splitlines()[0]
        raise RecordError(f"{where}: not a readable record: {first}") from error


def _read_finite(text: str) -> float:
    """The number. Raises ValueError for one that JSON cannot say: it could not be written again."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number that JSON has")
    return number


def write(path: Path, records: Iterable[Record]) -> None:
    """Write records as JSON lines; the file appears whole or not at all."""
    with replace_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(to_json(record) + "\n" for record in records)


def read(path: Path) -> Iterator[Record]:
    """The records of a JSON lines file. Raises RecordError naming file and line."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield from_json(line, f"{path}:{number}")
