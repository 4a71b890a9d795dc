"""Which dialogues are held: tasks, levels and languages spread evenly, a third of them in French."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from pydantic import TypeAdapter

from eval.lines import parse_lines
from eval.tutoring.students.student import LEVELS, Level
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.files import write_text
from scribe.tutor.session import Language

PLAN = "plan.jsonl"


@dataclass(frozen=True, slots=True)
class PlannedDialogue:
    """A dialogue to be held. seed: of the student, who is another one for each."""

    id: str
    task: str
    level: Level
    language: Language
    seed: int


_PLANNED = TypeAdapter(PlannedDialogue)


def plan_dialogues(tasks: Sequence[str], dialogues: int, seed: int) -> list[PlannedDialogue]:
    """So many dialogues: within nine passes over the tasks each task has each level in French once and twice not.

    Raises UsageError where there is nothing to plan.
    """
    if dialogues < 1 or not tasks:
        raise UsageError(f"{dialogues} dialogues on {len(tasks)} tasks cannot be planned; both are at least 1")
    order = sorted(tasks)
    Random(f"tutoring {seed}").shuffle(order)
    planned = []
    for number in range(dialogues):
        turn, place = divmod(number, len(order))
        level = LEVELS[(place + turn) % len(LEVELS)]
        french = (place // 3 + turn // 3 + turn) % 3 == 0
        language: Language = "French" if french else "English"
        planned.append(PlannedDialogue(f"d{number + 1:04}", order[place], level, language, 1000 * seed + turn))
    return planned


def write_plan(folder: Path, planned: Sequence[PlannedDialogue]) -> None:
    """Write the plan of a folder. Raises UsageError if it has another one already."""
    text = "".join(json.dumps(asdict(each)) + "\n" for each in planned)
    path = folder / PLAN
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise UsageError(f"{path} plans other dialogues; give another --out")
    write_text(path, text)


def read_plan(folder: Path) -> list[PlannedDialogue]:
    """The plan of a folder. Raises RecordError naming file and line, also for an id that stands twice."""
    found: dict[str, PlannedDialogue] = {}
    for where, one in parse_lines(folder / PLAN, _PLANNED, "the plan"):
        if one.id in found:
            raise RecordError(f"{where}: the id {one.id!r} stands twice")
        found[one.id] = one
    return list(found.values())
