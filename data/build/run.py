"""The whole pipeline: logs, grades and an earlier run in; a checked bundle out."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from data.build.enrolment import read_grades, read_outcomes
from data.build.learning import Explain, LearningConfig, add_students, learn
from data.build.logs import CourseRun, measure_run
from data.build.sources import BuildSources, BuildSteps, EarlierRun, Tolerance
from data.build.staging import put_back, stage_bundle, take_fingerprint, take_place
from data.build.writing import BuildRecord, WriteReport, compose_report, write_record, write_reports, write_tables
from data.bundle import COURSES, check, load_material
from data.cohort.demo import simulate_demo
from data.contrast.explain import explain
from data.course import LEAST_CLASS, BrokenBundle, BundleError, Course, Problem
from data.schedule import Schedule, shift_schedule
from scribe.plumbing.progress import OnProgress, ignore_progress

CURRENT, EARLIER = "current run", "earlier run"


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """How a bundle is built, `threads` reports at once; the same settings and sources give the same bytes."""

    max_errors: int | None = None
    learning: LearningConfig = LearningConfig()  # noqa: RUF009 - frozen
    explain: Explain = explain
    write: WriteReport = compose_report
    threads: int = 1


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What was built: where, the figures, what was skipped ('file:row: reason'), and seconds a step."""

    folder: Path
    record: BuildRecord
    skipped: tuple[str, ...]
    seconds: Mapping[str, float]


def build_bundle(
    folder: Path,
    sources: BuildSources,
    out: Path | None = None,
    settings: BuildSettings = BuildSettings(),
    on_progress: OnProgress = ignore_progress,
) -> BuildResult:
    """Build the bundle of the course in `folder`, there or at `out`, or change nothing. Raises BundleError."""
    sources.check()
    source = folder.resolve()
    target = source if out is None else out.resolve()
    steps = BuildSteps(on_progress)
    try:
        put_back(target)
        before = take_fingerprint(source)
        with steps.step("checking the material"):
            course, schedule = _read_course(source)
        if target.name != course.id:
            raise BundleError(f"{target}: the folder must be called {course.id}, as the course is")
        with stage_bundle(source, target) as staged:
            built = _fill(staged, target, course, schedule, sources, settings, steps)
            if take_fingerprint(source) != before:
                raise BundleError(f"{source}: was changed during the build; nothing was written, build again")
            take_place(staged, target)
    except OSError as error:
        raise BundleError(f"{error.filename or target}: {error.strerror or error}; nothing was written") from error
    return built


def build_demo(
    course_id: str, root: Path, on_progress: OnProgress = ignore_progress, settings: BuildSettings = BuildSettings()
) -> BuildResult:
    """Simulate a demo course and build its bundle in `root`. Raises BundleError."""
    with tempfile.TemporaryDirectory() as work:
        events, grades, past_events, outcomes = simulate_demo(course_id, Path(work), on_progress)
        sources = BuildSources([events], grades, EarlierRun([past_events], outcomes), "parquet")
        return build_bundle(COURSES / course_id, sources, root / course_id, settings, on_progress)


def _read_course(folder: Path) -> tuple[Course, Schedule]:
    """A course in which a report can look back on a week and ahead to one."""
    course, schedule = load_material(folder)
    if 1 <= course.weeks_done < course.weeks:
        return course, schedule
    bounds = f"must be 1 to {course.weeks - 1}, not {course.weeks_done}"
    reason = f"{bounds}: a report looks back on a week and ahead to one"
    raise BrokenBundle(folder, (Problem("course.toml", "weeks_done", reason),))


def _fill(
    folder: Path,
    target: Path,
    course: Course,
    schedule: Schedule,
    sources: BuildSources,
    settings: BuildSettings,
    steps: BuildSteps,
) -> BuildResult:
    """Build everything into the staged folder, and check it as any reader will."""
    tolerance = Tolerance(settings.max_errors)
    earlier = shift_schedule(schedule, sources.past.start)
    scores = read_grades(sources.grades, course, tolerance)
    if len(scores) < LEAST_CLASS:
        few = f"{sources.grades}: lists {len(scores)} students; what is told of a class needs at least {LEAST_CLASS}"
        raise BundleError(f"{few}, since of fewer a median and one's own value give a classmate's away")
    outcomes = read_outcomes(sources.past.outcomes, tolerance)
    work, weeks = folder.parent, course.weeks_done
    current_run = CourseRun(CURRENT, schedule, tuple(scores), sources.events)
    earlier_run = CourseRun(EARLIER, earlier, tuple(outcomes), sources.past.events)
    now, now_log = measure_run(current_run, weeks, sources, work, tolerance, steps)
    past, past_log = measure_run(earlier_run, weeks, sources, work, tolerance, steps)
    passed = np.array([outcomes[student] for student in past.students])
    learned = learn(past, passed, now, settings.learning, settings.explain, steps)
    # A feature that nobody's data tells apart was not recorded: its zeros would be told as facts.
    shown = now.only(now.varying_features())
    course = add_students(course, shown, learned, scores)
    with steps.step("writing and checking the reports") as on_count:
        reports = write_reports(folder, course, settings.write, settings.threads, on_count)
    students = course.students.values()
    record = BuildRecord(
        course=course.id,
        weeks=weeks,
        learning=settings.learning,
        features=learned.features,
        quality=learned.quality,
        students=len(students),
        predicted_to_pass=sum(one.predicted == "pass" for one in students),
        explained=sum(one.explained for one in students),
        logs={CURRENT: now_log, EARLIER: past_log},
        skipped_rows=tolerance.rows + tolerance.log_lines,
        reports=dict(reports),
    )
    with steps.step("writing and checking the bundle"):
        write_tables(folder, course, shown.features)
        write_record(folder, record)
        if problems := check(folder):
            raise BrokenBundle(target, tuple(problems))
    return BuildResult(target, record, tuple(tolerance.skipped), steps.seconds)
