"""The demo courses: where their files are, and the settings with which their students are simulated."""

import dataclasses
import tomllib
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from data.cohort.simulate import Cohort, Progress, Recorded, simulate
from data.course import BundleError, Course
from data.events.schema import Kind
from data.schedule import Schedule

SETTINGS = Path(__file__).with_name("demo.toml")
FOLDERS = (Path(__file__).parents[1] / "courses",)
YEAR = timedelta(weeks=52)  # so that Mondays stay Mondays

Count = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class Demo:
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
    def recorded(self) -> Recorded:
        """What the log tells."""
        return Recorded(frozenset(Kind) if self.kinds == "all" else self.kinds, self.marks)

    def current(self, course: Course, schedule: Schedule, progress: Progress | None = None) -> Cohort:
        """The run that is under way: students s001, s002, …"""
        seed, count = self.seed, self.students
        return simulate(course, schedule, self.recorded, seed, count, progress, difficulty=self.difficulty)

    def past(self, course: Course, schedule: Schedule, progress: Progress | None = None) -> Cohort:
        """The run a year earlier: students p001, p002, …; `schedule` is the current one."""
        earlier, seed, count = a_year_earlier(schedule), self.past_seed, self.past_students
        return simulate(course, earlier, self.recorded, seed, count, progress, "p", self.difficulty)


def load_demo(course: str, path: Path = SETTINGS) -> Demo:
    """The settings of one course; raises BundleError for one without, and for settings that cannot be used."""
    try:
        known = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BundleError(f"{path}: {error}") from error
    if course not in known:
        raise BundleError(f"{path.name} has no course {course!r}; it has {', '.join(known)}")
    try:
        return TypeAdapter(Demo).validate_python(known[course])
    except ValidationError as error:
        reasons = (f"{' '.join(map(str, each['loc'][:1]))}: {each['msg']}" for each in error.errors())
        raise BundleError(f"{path.name}, {course}: {'; '.join(dict.fromkeys(reasons))}") from error


def folder_of(course: str) -> Path:
    """Where a demo course is; raises BundleError if it is nowhere."""
    for folder in FOLDERS:
        if (folder / course / "course.toml").exists():
            return folder / course
    known = sorted({path.parent.name for folder in FOLDERS for path in folder.glob("*/course.toml")})
    raise BundleError(f"there is no course {course!r}; there are {', '.join(known)}")


def a_year_earlier(schedule: Schedule) -> Schedule:
    """The same course 52 weeks before."""
    items = (
        dataclasses.replace(item, released=item.released - YEAR, due=item.due and item.due - YEAR)
        for item in schedule.items
    )
    return dataclasses.replace(schedule, start=schedule.start - YEAR, items=tuple(items))
