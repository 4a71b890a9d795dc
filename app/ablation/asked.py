"""What all variants are asked, and what the scripted expert says to it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from finetune.manifest import Tell
from finetune.pipeline.config import Pipeline
from finetune.questions import step as questions
from finetune.questions.row import Row, read, write
from finetune.trajectories import run as trajectories
from finetune.trajectories.settings import TrajectorySettings
from scribe import records
from scribe.errors import RecordError
from scribe.trajectory import Trajectory

QUESTIONS, EXPERT, ASKED = "questions.jsonl", "expert.jsonl", "asked.jsonl"


@dataclass(frozen=True, slots=True)
class Meant:
    """A question's intent, and the expert's trajectory."""

    intent: str
    done: Trajectory


@dataclass(frozen=True, slots=True)
class Exam:
    """path: the questions as they are asked. meant: by id, as far as anybody knows."""

    path: Path
    meant: Mapping[str, Meant]


def held_out(pipeline: Pipeline, students: int, each: int, out: Path, tell: Tell) -> Path:
    """A file of questions with wordings and students that no training sees. Raises what the step raises."""
    settings = replace(
        pipeline.questions, source="offline", held_out=True, students=students, each=each, outside=min(each, 4)
    )
    path = out / QUESTIONS
    questions.run(settings, pipeline.model.course_folders, path, tell)
    return path


def exam(path: Path, pipeline: Pipeline, out: Path, tell: Tell) -> Exam:
    """The questions of a file, each follow-up with what the expert answered before, and what the expert does.

    It goes the shortest way and makes no mistakes; what it leaves unanswered nobody is asked. Questions that people
    wrote say no intent: they are asked as they stand, and only what can be counted without is.
    """
    rows = _rows(path)
    if not any(row.intent for row in rows):
        return Exam(path, {})
    settings = TrajectorySettings(courses=pipeline.model.bundles, hints="none", slips=0.0, varied=False)
    trajectories.run(settings, path, out / EXPERT, tell)
    found = {record.id: record for record in records.read(out / EXPERT)}
    asked = [
        replace(row, question=found[row.id].task.question, history=found[row.id].task.history)
        for row in rows
        if row.id in found
    ]
    write(out / ASKED, asked)
    return Exam(out / ASKED, {row.id: Meant(row.intent, found[row.id].trajectory) for row in asked})


def _rows(path: Path) -> list[Row]:
    """The rows of a file of ours; none of a file of another kind, which `scribe answer` checks."""
    try:
        return read(path)
    except RecordError:
        return []
