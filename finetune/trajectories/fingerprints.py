"""What an answer depends on, in one number for each row, and in files for the whole step."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

import finetune.trajectories
import scribe.prompts
import tools
from data.bundle import EMBEDDED, HINTS
from finetune.manifest import digest
from finetune.questions.row import Row, read
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.rooms import folder
from finetune.trajectories.settings import TrajectorySettings


def inputs(settings: TrajectorySettings, questions: Path) -> dict[str, Path]:
    """What the step reads, by name; for the expert also its own code and that of the tools it speaks with.

    Raises RecordError or OSError for a file of questions that cannot be read.
    """
    names = sorted({row.course for row in read(questions)})
    found = {f"course {name}": folder(settings) / name for name in names if (folder(settings) / name).is_dir()}
    return {"questions": questions, **found, **_parts(settings)}


def of_rows(settings: TrajectorySettings, rooms: Mapping[str, Classroom]) -> Callable[[Row], str]:
    """From a row to 64 hexadecimal digits: another row, setting, course, prompt or list of tools gives others.

    An answer of a model stays valid when a tool's code changes but not what the model reads of it, since it was paid
    for; the scripted expert's is made anew for any change of code.
    """
    parts = {name: digest(path) for name, path in _parts(settings).items()}
    of_course = {name: _of_room(room, folder(settings) / room.course.id) for name, room in rooms.items()}

    def fingerprint(row: Row) -> str:
        whole = [asdict(row), dict(settings.decisive), parts, of_course[row.course]]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    return fingerprint


def _parts(settings: TrajectorySettings) -> dict[str, Path]:
    """Files and folders that every answer depends on."""
    parts = {"prompts": _folder_of(scribe.prompts)}
    if settings.hints == "served":
        parts["hints"] = EMBEDDED / HINTS
    if settings.hints == "folded":
        parts["wordings"] = _folder_of(tools) / "questions"
    if settings.teacher == "scripted":
        parts |= {"expert": _folder_of(finetune.trajectories), "tools": _folder_of(tools)}
    return parts


def _of_room(room: Classroom, bundle: Path) -> tuple[str, str]:
    """A course's data and how its tools are listed."""
    listing = room.toolbox(next(iter(room.course.students))).listing
    return digest(bundle), listing


def _folder_of(package: object) -> Path:
    return Path(str(package.__file__)).parent  # type: ignore[attr-defined]
