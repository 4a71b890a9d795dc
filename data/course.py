"""What a course is once its bundle has been read: frozen values, nothing left to look up on disk."""

import difflib
import statistics
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from data.texts import Text, Title
from scribe.plumbing.errors import ScribeError

LEAST_CLASS = 5
"""Values from which the class's median is told: of fewer, it and one's own give a classmate's away."""

Outcome = Literal["pass", "fail"]
Direction = Literal["increase", "decrease"]


class BundleError(ScribeError):
    """A bundle is absent or broken; the message says which file, which row and why."""


class UnknownStudent(BundleError):
    """The course has no student of this id."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a bundle; `row` is a line, an entry or a key, empty for a whole file."""

    file: str
    row: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, {self.row}: {self.reason}" if self.row else f"{self.file}: {self.reason}"


class BrokenBundle(BundleError):
    """A bundle that cannot be used as it is; `problems` holds everything that is wrong with it."""

    def __init__(self, folder: Path, problems: tuple[Problem, ...], shown: int = 5) -> None:
        self.problems = problems
        lines = [f"{folder} is not a usable course bundle ({len(problems)} problems):"]
        lines += [f"  {problem}" for problem in problems[:shown]]
        if len(problems) > shown:
            lines.append(f"  and {len(problems) - shown} more")
        super().__init__("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Week:
    """What is taught in one week, from 1; `…_en` are English names when the course is in another language."""

    number: int
    title: Title
    topics: Annotated[tuple[Title, ...], Field(min_length=1)]
    quizzes: Annotated[int, Field(ge=0)]
    title_en: Title = ""
    topics_en: tuple[Title, ...] = ()


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """`topic` builds on `needs`, of the same week or earlier; `why` continues "because", `why_en` in English."""

    topic: str
    needs: str
    why: Text
    why_en: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled passage of the syllabus (id "syllabus-4", no week) or the textbook (id "5.3")."""

    id: str
    title: str
    week: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """A problem to practise one topic, with its solution."""

    id: Title
    week: int
    topic: str
    title: Title
    text: Text
    solution: Text


@dataclass(frozen=True, slots=True)
class GradedItem:
    """One thing that counts; `weight` is its percent of the final grade, all weights sum to 100."""

    id: Title
    title: Title
    weight: Annotated[float, Field(gt=0, le=100)]
    week: int
    max_points: Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Importance:
    """A change that helps to flip a prediction: its size in deviations of the cohort, and the raw value it leads to."""

    week: int
    feature: str
    importance: float
    direction: Direction
    flips_to: Outcome
    target: float


@dataclass(frozen=True, slots=True)
class Sufficient:
    """Enough, with the student's others of this kind, for the prediction to stay, however typical all else were."""

    week: int
    feature: str


@dataclass(frozen=True, slots=True)
class Grade:
    """Points for one graded item; score None: not graded yet or not handed in. Weight in percent."""

    item: str
    score: float | None
    max: float
    weight: float


@dataclass(frozen=True, slots=True)
class Student:
    """One student's rows. Features hold raw values; an absent key is a missing value, never 0."""

    id: str
    features: Mapping[tuple[str, int], float]
    importances: tuple[Importance, ...]
    grades: tuple[Grade, ...]
    reports: Mapping[str, str]
    predicted: Outcome
    probability: float
    sufficient: tuple[Sufficient, ...] = ()

    @property
    def explained(self) -> bool:
        """Whether a change was found that flips the prediction; if not, nothing is known to matter."""
        return bool(self.importances)

    def in_week(self, week: int) -> tuple[Importance, ...]:
        """The importances of one week, largest first; empty when none were found to matter."""
        return tuple(each for each in self.importances if each.week == week)


@dataclass(frozen=True, slots=True)
class Course:
    """A course with its material and its students; `pass_mark` is a percentage of the final grade."""

    id: str
    title: Title
    aliases: tuple[Title, ...]
    language: Text
    weeks: Annotated[int, Field(ge=1, le=104)]
    weeks_done: int
    pass_mark: Annotated[float, Field(ge=0, le=100)]
    summary: Text
    grading: tuple[GradedItem, ...]
    plan: tuple[Week, ...]
    prerequisites: tuple[Prerequisite, ...]
    syllabus: tuple[Section, ...]
    textbook: tuple[Section, ...]
    exercises: tuple[Exercise, ...]
    students: Mapping[str, Student]
    syllabus_en: tuple[Section, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics in the order they are taught."""
        return tuple(topic for week in self.plan for topic in week.topics)

    def week(self, number: int) -> Week:
        """The plan of one week; raises BundleError for a week the course does not have."""
        for week in self.plan:
            if week.number == number:
                return week
        raise BundleError(f"course {self.id} has weeks 1 to {self.weeks}, not week {number}")

    def week_of(self, topic: str) -> int:
        """The week that teaches a topic, capitals ignored; raises BundleError for no such topic."""
        for week in self.plan:
            if topic.casefold() in (each.casefold() for each in week.topics):
                return week.number
        close = difflib.get_close_matches(topic, self.topics, n=3)
        hint = f"; close topics are {', '.join(close)}" if close else ""
        raise BundleError(f"course {self.id} has no topic {topic!r}{hint}")

    def rules_in(self, language: str) -> tuple[tuple[Section, ...], str]:
        """The syllabus in this language, if it is there in it, else as it was written; and the language it is in."""
        translated = language == "en" and self.syllabus_en
        return (self.syllabus_en, "en") if translated else (self.syllabus, self.language)

    def english(self, topic: str) -> str:
        """The English name of a topic; empty where the outline gives none."""
        pairs = (pair for week in self.plan for pair in zip(week.topics, week.topics_en, strict=False))
        return next((name for own, name in pairs if own == topic), "")

    def typical(self, feature: str, week: int) -> float | None:
        """The cohort's median raw value, students without a value left out; None if fewer than LEAST_CLASS have one."""
        key = (feature, week)
        values = [student.features[key] for student in self.students.values() if key in student.features]
        return statistics.median(values) if len(values) >= LEAST_CLASS else None

    def student(self, student_id: str) -> Student:
        """One student by exact id; raises UnknownStudent."""
        if student_id in self.students:
            return self.students[student_id]
        close = ", ".join(difflib.get_close_matches(student_id, self.students, n=3))
        hint = f"; close ids are {close}" if close else ""
        raise UnknownStudent(f"course {self.id} has no student {student_id!r}{hint}")


@dataclass(frozen=True, slots=True)
class PrerequisiteChain:
    """Some topics, those they need directly, and those that these need in turn; disjoint."""

    topics: frozenset[str]
    direct: frozenset[str]
    further: frozenset[str]

    def holds(self, edge: Prerequisite) -> bool:
        """Whether this prerequisite is a link of the chain."""
        members = self.topics | self.direct | self.further
        return edge.topic in members and edge.needs in members


def follow_prerequisites(course: Course, topics: Collection[str]) -> PrerequisiteChain:
    """The chain of some topics, spelled as in the course."""
    start = frozenset(topics)
    direct = _list_needs(course, start) - start
    reached, new = start | direct, direct
    while new:
        new = _list_needs(course, new) - reached
        reached |= new
    return PrerequisiteChain(start, direct, reached - direct - start)


def find_chain(course: Course, week: int | None = None, topic: str | None = None) -> PrerequisiteChain | None:
    """The chain of a week or of a topic, None when neither is given; raises BundleError for one that is not there."""
    if topic is not None:
        taught = course.week(course.week_of(topic)).topics
        return follow_prerequisites(course, [each for each in taught if each.casefold() == topic.casefold()])
    return None if week is None else follow_prerequisites(course, course.week(week).topics)


def _list_needs(course: Course, topics: Collection[str]) -> frozenset[str]:
    return frozenset(edge.needs for edge in course.prerequisites if edge.topic in topics)
