"""The step from a file of questions to a file of trajectories.

`OUT` holds the trajectories in the questions' order, one record a line; `OUT.failed.jsonl` the questions without one,
each with its reason. While the step is under way, and afterwards where a model was paid, `OUT.journal` holds what was
answered, so that no question is asked twice.
"""

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from data.course import Course
from finetune import manifest
from finetune.manifest import Tell, quiet
from finetune.questions.row import Row, read
from finetune.trajectories import journal, rooms
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.counts import counts, models
from finetune.trajectories.expert import Expert
from finetune.trajectories.fingerprints import inputs, of_rows
from finetune.trajectories.hired import HiredTeacher
from finetune.trajectories.journal import Journal
from finetune.trajectories.outcome import SERVER, Outcome, failed
from finetune.trajectories.settings import TrajectorySettings
from finetune.trajectories.threads import Answer, through
from finetune.whole import written
from scribe.backends.api import Passing
from scribe.errors import BackendError, ContextFull, UsageError
from scribe.records import to_json
from scribe.trajectory import Usage

STEP = "trajectories"
Rooms = Callable[[Mapping[str, Course], TrajectorySettings, Path], Mapping[str, Classroom]]
"""From courses, settings and a folder for what may be kept between runs to a classroom for each course."""


def run(
    settings: TrajectorySettings, questions: Path, out: Path, tell: Tell = quiet, make: Rooms = rooms.rooms
) -> None:
    """Answer what has no answer yet and write `out`, its failures and its manifest; nothing where all is done.

    make: gives each course its tools. Raises RecordError naming file and line for rows that do not fit their course,
    UsageError for what cannot be answered at all or has cost its budget, BackendError if the server cannot be used or
    failed more than `max_errors` times. What was answered before stays, and the same call goes on from there.
    """
    given = inputs(settings, questions)
    if manifest.is_done(out, STEP, given, settings.decisive):
        return
    began = time.monotonic()
    rows = _rows(questions, settings)
    scratch = out.with_name(f"{out.name}.hints")
    found = make(rooms.courses(rows, settings, questions), settings, scratch)
    prints = _prints(rows, of_rows(settings, found))
    answer = (Expert if settings.teacher == "scripted" else HiredTeacher)(found, settings).answer
    with Journal(journal.beside(out)) as kept:
        trouble = _asked(answer, rows, prints, kept, settings, tell)
        outcomes = [trouble.get(row.id) or kept.get(prints[row.id]) for row in rows]
        _write(out, outcomes)
        told = counts(outcomes, settings)
        manifest.finish(out, STEP, given, settings.decisive, told, time.monotonic() - began, models(outcomes))
        if settings.teacher == "scripted":
            kept.path.unlink()
            shutil.rmtree(scratch, ignore_errors=True)


def beside(out: Path) -> Path:
    """Where the questions without a trajectory lie."""
    return out.with_name(f"{out.name}.failed.jsonl")


def _rows(questions: Path, settings: TrajectorySettings) -> list[Row]:
    rows = read(questions)
    if not rows:
        raise UsageError(f"{questions} holds no questions")
    if settings.teacher == "scripted" and not any(row.intent for row in rows):
        raise UsageError(
            f"no row of {questions} says what it means, as those of a language model do not, and the scripted expert "
            'answers only by that; set [trajectories] teacher = "api", base_url and model'
        )
    return rows


def _prints(rows: Sequence[Row], fingerprint: Callable[[Row], str]) -> dict[str, str]:
    return {row.id: fingerprint(row) for row in rows}


def _asked(
    answer: Answer,
    rows: Sequence[Row],
    prints: Mapping[str, str],
    kept: Journal,
    settings: TrajectorySettings,
    tell: Tell,
) -> dict[str, Outcome]:
    """Ask what is open; the rows that the server failed, which the next run asks again."""
    todo = [row for row in rows if prints[row.id] not in kept]
    spent = sum((kept.get(prints[row.id]).usage for row in rows if prints[row.id] in kept), Usage())
    trouble: dict[str, Outcome] = {}
    parallel = 1 if settings.teacher == "scripted" else settings.parallel
    tell(STEP, len(rows) - len(todo), len(rows))
    for done, (row, outcome) in enumerate(through(answer, todo, parallel), start=len(rows) - len(todo) + 1):
        if isinstance(outcome, BackendError):
            trouble[row.id] = _troubled(row, outcome, len(trouble), settings)
        else:
            kept.put(prints[row.id], outcome)
            spent += outcome.usage
        tell(STEP, done, len(rows))
        _check_budget(spent, settings, last=done == len(rows))
    return trouble


def _troubled(row: Row, error: BackendError, before: int, settings: TrajectorySettings) -> Outcome:
    """One row's trouble with the server. Raises the error if it would be every row's, or one of too many."""
    if not isinstance(error, Passing | ContextFull):
        raise error
    if before >= settings.max_errors:
        raise BackendError(
            f"the server failed {before + 1} questions, the last with: {error}; what was answered is kept, "
            "and the same command goes on from there"
        ) from error
    return failed(row, SERVER, str(error))


def _check_budget(spent: Usage, settings: TrajectorySettings, last: bool) -> None:
    cost = settings.cost(spent.prompt_tokens, spent.completion_tokens)
    if settings.budget and cost >= settings.budget and not last:
        raise UsageError(
            f"{cost:.2f} dollars of {settings.budget:.2f} are spent and questions are left; what was answered is kept: "
            "raise [trajectories] budget to go on"
        )


def _write(out: Path, outcomes: Sequence[Outcome]) -> None:
    """The trajectories last, since they are what others look for."""
    without = [each for each in outcomes if each.record is None]
    with written(beside(out)) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"id": each.id, "reason": each.reason, "detail": each.detail}, ensure_ascii=False) + "\n"
            for each in without
        )
    with written(out) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{to_json(each.record)}\n" for each in outcomes if each.record is not None)
