"""The whole pipeline: logs, grades and an earlier run in; a checked bundle out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from data.behaviour import Behaviour
from data.build.enrolment import Scores, read_grades, read_outcomes
from data.build.learning import Explain, Learned, Lesson, learn
from data.build.logs import LogCounts
from data.build.material import read_course, shifted
from data.build.measuring import Run, measured
from data.build.people import Told, enrolled
from data.build.record import Record, write_record
from data.build.reporting import Writing
from data.build.sources import Sources
from data.build.staging import Stage, fingerprint, put_back, staged, take_place
from data.build.steps import Steps, Tell, silent
from data.build.tables import write_tables
from data.build.tolerance import Tolerance
from data.bundle import check
from data.bundle_cohort import THEORIES
from data.contrast.explain import explain
from data.course import BrokenBundle, BundleError, Course
from data.predictor.training import Passed
from data.schedule import Schedule

CURRENT, EARLIER = "current run", "earlier run"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a bundle is built; the same settings and sources give the same bytes on the same machine.

    max_errors: as in `data.build.tolerance.Tolerance`. explain: who explains the
    predictions. writing: who writes which reports.
    """

    max_errors: int | None = None
    lesson: Lesson = Lesson()  # noqa: RUF009 - frozen
    explain: Explain = explain
    writing: Writing = Writing(THEORIES)  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class Built:
    """What was built: where, the figures, what was skipped ('file:row: reason'), and seconds a step."""

    folder: Path
    record: Record
    skipped: tuple[str, ...]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that was read: the course, who takes part, what they did; `passed` is in the order of `past`."""

    course: Course
    scores: Scores
    now: Behaviour
    past: Behaviour
    passed: Passed
    logs: Mapping[str, LogCounts]


def build(
    folder: Path,
    sources: Sources,
    out: Path | None = None,
    settings: Settings = Settings(),
    tell: Tell = silent,
) -> Built:
    """Build the bundle of the course in `folder` (there, or at `out`) from its logs, grades and an earlier run.

    Nothing at the target changes until everything has been built and checked. Raises BundleError.
    """
    sources.check()
    source = folder.resolve()
    target = source if out is None else out.resolve()
    steps = Steps(tell)
    try:
        put_back(target)
        before = fingerprint(source)
        with steps.step("checking the material"):
            course, schedule = read_course(source)
        if target.name != course.id:
            raise BundleError(f"{target}: the folder must be called {course.id}, as the course is")
        with staged(source, target) as stage:
            built = _filled(stage, course, schedule, sources, settings, steps)
            if fingerprint(source) != before:
                raise BundleError(f"{source}: was changed during the build; nothing was written, build again")
            take_place(stage)
    except OSError as error:
        raise BundleError(f"{error.filename or target}: {error.strerror or error}; nothing was written") from error
    return built


def _filled(
    stage: Stage, course: Course, schedule: Schedule, sources: Sources, settings: Settings, steps: Steps
) -> Built:
    """Build everything into the staged folder, and check it as any reader will."""
    tolerance = Tolerance(settings.max_errors)
    inputs = _inputs(course, schedule, sources, stage.folder.parent, tolerance, steps)
    learned = learn(inputs.past, inputs.passed, inputs.now, settings.lesson, settings.explain, steps)
    # A feature that nobody's data tells apart was not recorded: its zeros would be told as facts.
    shown = inputs.now.only(inputs.now.told_apart())
    course = enrolled(course, Told(shown, learned.probability, learned.explanations, inputs.scores))
    with steps.step("writing and checking the reports") as progress:
        reports = settings.writing.all(stage.folder, course, progress)
    record = _record(course, inputs, learned, settings, tolerance, reports)
    with steps.step("writing and checking the bundle"):
        write_tables(stage.folder, course, shown.features)
        write_record(stage.folder, record)
        if problems := check(stage.folder):
            raise BrokenBundle(stage.target, tuple(problems))
    return Built(stage.target, record, tuple(tolerance.skipped), steps.seconds)


def _inputs(
    course: Course, schedule: Schedule, sources: Sources, work: Path, tolerance: Tolerance, steps: Steps
) -> Inputs:
    earlier = shifted(schedule, sources.past.start)
    scores = read_grades(sources.grades, course, tolerance)
    outcomes = read_outcomes(sources.past.outcomes, tolerance)
    current = Run(CURRENT, schedule, tuple(scores), sources.events)
    before = Run(EARLIER, earlier, tuple(outcomes), sources.past.events)
    weeks = course.weeks_done
    now, now_log = measured(current, weeks, sources, work, tolerance, steps)
    past, past_log = measured(before, weeks, sources, work, tolerance, steps)
    passed = np.array([outcomes[student] for student in past.students])
    return Inputs(course, scores, now, past, passed, {CURRENT: now_log, EARLIER: past_log})


def _record(
    course: Course,
    inputs: Inputs,
    learned: Learned,
    settings: Settings,
    tolerance: Tolerance,
    reports: Mapping[str, int],
) -> Record:
    students = course.students.values()
    return Record(
        course=course.id,
        weeks=course.weeks_done,
        lesson=settings.lesson,
        features=learned.features,
        quality=learned.quality,
        students=len(students),
        predicted_to_pass=sum(one.predicted == "pass" for one in students),
        explained=sum(one.explained for one in students),
        logs=inputs.logs,
        skipped_rows=tolerance.rows + tolerance.log_lines,
        reports=dict(reports),
    )
