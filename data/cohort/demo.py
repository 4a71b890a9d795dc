"""The demo courses: the settings with which their students are simulated, and the files of their two runs."""

import csv
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import polars as pl
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from data.bundle import COURSES, load_material
from data.cohort.simulate import Cohort, LogScope, simulate_cohort
from data.course import BundleError, Course
from data.events.schema import Kind
from data.schedule import Schedule, shift_schedule
from scribe.plumbing.files import replace_file
from scribe.plumbing.progress import OnCount, OnProgress, ignore_progress

SETTINGS = Path(__file__).with_name("demo.toml")
EVENTS, GRADES, PAST_EVENTS, PAST_OUTCOMES = FILES = (
    "events.parquet",
    "grades.csv",
    "past-events.parquet",
    "past-outcomes.csv",
)

Count = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """The settings of one course; demo.toml says what each means."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    seed: int
    students: Count
    past_seed: int
    past_students: Count
    kinds: Literal["all"] | frozenset[Kind]
    marks: bool
    difficulty: Annotated[float, Field(gt=0, lt=1)]

    @property
    def scope(self) -> LogScope:
        """What the log tells."""
        return LogScope(frozenset(Kind) if self.kinds == "all" else self.kinds, self.marks)

    def simulate_current(self, course: Course, schedule: Schedule, progress: OnCount | None = None) -> Cohort:
        """The run that is under way: students s001, s002, …"""
        seed, count = self.seed, self.students
        return simulate_cohort(course, schedule, self.scope, seed, count, progress, difficulty=self.difficulty)

    def simulate_past(self, course: Course, schedule: Schedule, progress: OnCount | None = None) -> Cohort:
        """The run a year earlier: students p001, p002, …; `schedule` is the current one."""
        earlier, seed, count = shift_schedule(schedule), self.past_seed, self.past_students
        return simulate_cohort(course, earlier, self.scope, seed, count, progress, "p", self.difficulty)


def list_demos() -> tuple[str, ...]:
    """The ids of the demo courses."""
    return tuple(tomllib.loads(SETTINGS.read_text(encoding="utf-8")))


def load_demo(course_id: str, path: Path = SETTINGS) -> DemoSettings:
    """The settings of one course; raises BundleError for one without, and for settings that cannot be used."""
    try:
        known = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BundleError(f"{path}: {error}") from error
    if course_id not in known:
        raise BundleError(f"{path.name} has no course {course_id!r}; it has {', '.join(known)}")
    try:
        return TypeAdapter(DemoSettings).validate_python(known[course_id])
    except ValidationError as error:
        reasons = (f"{' '.join(map(str, each['loc'][:1]))}: {each['msg']}" for each in error.errors())
        raise BundleError(f"{path.name}, {course_id}: {'; '.join(dict.fromkeys(reasons))}") from error


def simulate_demo(
    course_id: str, out: Path, on_progress: OnProgress = ignore_progress, settings: Path = SETTINGS
) -> tuple[Path, ...]:
    """Simulate both runs of a demo course into the folder `out`; returns the files. Raises BundleError."""
    demo = load_demo(course_id, settings)
    course, schedule = load_material(COURSES / course_id)
    try:
        out.mkdir(parents=True, exist_ok=True)
        past = demo.simulate_past(course, schedule, lambda *at: on_progress("simulating the earlier run", *at))
        write_events(out / PAST_EVENTS, past.events)
        outcomes = ((student, "pass" if passed else "fail") for student, passed in past.passed.items())
        _write_rows(out / PAST_OUTCOMES, ("student", "outcome"), outcomes)
        current = demo.simulate_current(course, schedule, lambda *at: on_progress("simulating the current run", *at))
        write_events(out / EVENTS, current.events)
        _write_rows(out / GRADES, ("student", "item", "score"), _grade_rows(current, course))
    except OSError as error:
        raise BundleError(f"{error.filename2 or out}: cannot be written: {error.strerror or error}") from error
    return tuple(out / name for name in FILES)


def write_events(path: Path, events: pl.DataFrame) -> None:
    """Write parquet in our own form (`data.events.schema`). Raises OSError."""
    with replace_file(path) as part:
        events.write_parquet(part, compression="zstd")


def _grade_rows(cohort: Cohort, course: Course) -> Iterator[tuple[str, ...]]:
    """The items of the weeks that are done; an empty score was not handed in."""
    done = [item.id for item in course.grading if item.week <= course.weeks_done]
    for student, scores in cohort.scores.items():
        for item in done:
            score = scores[item]
            yield student, item, "" if score is None else f"{score:g}"


def _write_rows(path: Path, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
