"""The demo courses: the settings with which their students are simulated, and the files of their two runs."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from data.bundle import COURSES, load_material
from data.cohort.simulate import Cohort, simulate_cohort
from data.course import BundleError, Course
from data.events.schema import Kind
from data.schedule import Schedule, shift_schedule
from scribe.plumbing.files import replace_file
from scribe.plumbing.progress import OnProgress, ignore_progress

SETTINGS = Path(__file__).with_name("demo.toml")
FILES = ("events.parquet", "grades.csv", "past-events.parquet", "past-outcomes.csv")
EVENTS, GRADES, PAST_EVENTS, PAST_OUTCOMES = FILES


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """The settings of one course; demo.toml says what each means."""

    seed: int
    students: int
    past_seed: int
    past_students: int
    kinds: Literal["all"] | list[Kind]
    marks: bool
    difficulty: float

    def simulate(
        self, course: Course, schedule: Schedule, past: bool, on_progress: OnProgress = ignore_progress
    ) -> Cohort:
        """The run under way, students s001, s002, …; or the one a year earlier, students p001, p002, …"""
        prefix, seed, count = ("p", self.past_seed, self.past_students) if past else ("s", self.seed, self.students)
        step = f"simulating the {'earlier' if past else 'current'} run"
        return simulate_cohort(
            course,
            shift_schedule(schedule) if past else schedule,
            seed,
            [f"{prefix}{number:03d}" for number in range(1, count + 1)],
            self.difficulty,
            tuple(Kind) if self.kinds == "all" else self.kinds,
            self.marks,
            lambda done, total: on_progress(step, done, total),
        )


def list_demos() -> tuple[str, ...]:
    """The ids of the demo courses."""
    return tuple(tomllib.loads(SETTINGS.read_text(encoding="utf-8")))


def load_demo(course_id: str, path: Path = SETTINGS) -> DemoSettings:
    """The settings of one course; raises BundleError for one without."""
    known = tomllib.loads(path.read_text(encoding="utf-8"))
    if course_id not in known:
        raise BundleError(f"{path.name} has no course {course_id!r}; it has {', '.join(known)}")
    return DemoSettings(**known[course_id])


def simulate_demo(
    course_id: str, out: Path, on_progress: OnProgress = ignore_progress, settings: Path = SETTINGS
) -> tuple[Path, ...]:
    """Simulate both runs of a demo course into the folder `out`; returns the files. Raises BundleError."""
    demo = load_demo(course_id, settings)
    course, schedule = load_material(COURSES / course_id)
    done = [item.id for item in course.grading if item.week <= course.weeks_done]
    try:
        past = demo.simulate(course, schedule, True, on_progress)
        write_events(out / PAST_EVENTS, past.events)
        outcomes = ((student, "pass" if passed else "fail") for student, passed in past.passed.items())
        _write_csv(out / PAST_OUTCOMES, ("student", "outcome"), outcomes)
        now = demo.simulate(course, schedule, False, on_progress)
        write_events(out / EVENTS, now.events)
        scores = ((student, item, points[item]) for student, points in now.scores.items() for item in done)
        texts = ((*who, None if score is None else f"{score:g}") for *who, score in scores)
        _write_csv(out / GRADES, ("student", "item", "score"), texts)
    except OSError as error:
        raise BundleError(f"{error.filename2 or out}: cannot be written: {error.strerror or error}") from error
    return tuple(out / name for name in FILES)


def write_events(path: Path, events: pl.DataFrame) -> None:
    """Write parquet in our own form (`data.events.schema`). Raises OSError."""
    with replace_file(path) as part:
        events.write_parquet(part, compression="zstd")


def _write_csv(path: Path, head: tuple[str, ...], rows: Iterable[tuple[str | None, ...]]) -> None:
    with replace_file(path) as part:
        pl.DataFrame(list(rows), dict.fromkeys(head, pl.String), orient="row").write_csv(part)
