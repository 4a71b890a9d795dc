"""The labelled statements and the cases that they are about."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from scribe.trajectory import Act, Call, Observation, Task, Trajectory

FOLDER = Path(__file__).parent
PARTS = ("developing", "unseen")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about one case, whether it is true, and what kind of claim it makes."""

    case: str
    true: bool
    kind: str
    text: str
    language: str


def read_statements(part: str) -> tuple[Statement, ...]:
    """The statements of a part, in the order of the file, each with the language of its case."""
    cases = read_cases()
    with FOLDER.joinpath(f"{part}.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return tuple(Statement(**row, language=cases[row["case"]].task.language) for row in rows)


def read_cases() -> dict[str, Trajectory]:
    """Each case by its id, as a conversation in which the tools have been called and nothing was said yet."""
    with gzip.open(FOLDER / "cases.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = {}
    for row in rows:
        task = Task(
            row["course"], row["student"], "", row["report"], row["about"],
            language=row["language"], theory=row["theory"],
        )  # fmt: skip
        calls = tuple(Call(each["name"], each["arguments"]) for each in row["calls"])
        observations = tuple(Observation(True, each["result"]) for each in row["calls"])
        found[row["id"]] = Trajectory(task).then(Act("", calls, observations))
    return found
