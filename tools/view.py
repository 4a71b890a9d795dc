"""What the tools of one conversation look at: a student, the class as a whole, and the arguments of calls.

Of the class there are figures over all students, never one student's row. With fewer than `LEAST_CLASS` students a
median or a share would give away single values, so there is none.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from pydantic import Field
from pydantic.fields import FieldInfo

from data.catalogue import Catalogue, Feature
from data.catalogue_languages import catalogue_in
from data.course import LEAST_CLASS, Course, Student, Week
from scribe.tool import Refusal
from tools.search.text import ENGLISH
from tools.search.vector_store import VectorStore

MEASURABLE = 1e-5
"""Importances below this are rounding noise of the explanation, not influence."""
QUARTERS = ("lowest", "lower middle", "upper middle", "highest")
"""The quarters of a class by value, as tools name them; quartile 1 to 4."""
LONGEST_QUERY = 300
"""Characters of a query that are looked at."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """A course's students, seen only as a whole."""

    course: Course

    def median(self, feature: str, week: int) -> float | None:
        """The median raw value of those who have one, or None if they are too few."""
        return self.course.typical(feature, week)

    def rank(self, student: Student, feature: str, week: int) -> float | None:
        """The share (0 to 1) of the class below the student, equals counted half; None if unknown."""
        values = self._values(feature, week)
        own = student.features.get((feature, week))
        if own is None or len(values) < LEAST_CLASS:
            return None
        return sum(1.0 if value < own else 0.5 if value == own else 0.0 for value in values) / len(values)

    def share_influenced(self, features: Collection[str]) -> float | None:
        """The share (0 to 1) of explained students for whom one of the features had influence."""
        explained = [each.importances for each in self.course.students.values() if each.importances]
        if len(explained) < LEAST_CLASS:
            return None
        touched = [any(one.feature in features and one.importance >= MEASURABLE for one in each) for each in explained]
        return sum(touched) / len(touched)

    def _values(self, feature: str, week: int) -> list[float]:
        rows = self.course.students.values()
        return [row.features[feature, week] for row in rows if (feature, week) in row.features]


@dataclass(frozen=True)
class StudentView:
    """A student of a course, seen in a language; `store` holds what search has made.

    Everything in it is read-only, so tools made of one view may run on any thread.
    """

    course: Course
    student: Student
    store: VectorStore
    language: str

    @cached_property
    def catalogue(self) -> Catalogue:
        """The behavioural features with names and units in this language."""
        return catalogue_in(self.language)

    @cached_property
    def classmates(self) -> ClassView:
        return ClassView(self.course)

    def topic(self, name: str) -> str:
        """A topic or title as the course calls it, with its English name where the conversation is in English."""
        return self.glossed(name, self.course.english(name))

    def glossed(self, name: str, english: str) -> str:
        """A name with its English in brackets, where that says more and the conversation is in English."""
        if self.language != ENGLISH or not english or english.casefold() == name.casefold():
            return name
        return f"{name} ({english})"

    def own(self, feature: Feature, week: int) -> str | None:
        """The student's value with its unit, or None if there is none."""
        raw = self.student.features.get((feature.name, week))
        return None if raw is None else feature.shown(raw)

    def median(self, feature: Feature, week: int) -> str | None:
        """The class median with its unit, or None if too few students have a value."""
        raw = self.classmates.median(feature.name, week)
        return None if raw is None else feature.shown(raw)

    def quarter(self, feature: Feature, week: int) -> str | None:
        """The quarter of the class in which the student's value lies, or None if that is unknown."""
        rank = self.classmates.rank(self.student, feature.name, week)
        return None if rank is None else QUARTERS[min(int(rank * 4), 3)]


def week_bounds(course: Course) -> FieldInfo:
    """The range of weeks, for a tool's schema only: pydantic does not enforce it, so that we word the refusal."""
    bounds: FieldInfo = Field(json_schema_extra={"minimum": 1, "maximum": course.weeks})
    return bounds


def find_week(course: Course, number: int) -> Week:
    """The plan of this week. Raises Refusal naming the weeks there are."""
    for week in course.plan:
        if week.number == number:
            return week
    raise Refusal(f"There is no week {number}.", weeks=f"1 to {course.weeks}")


def clean_query(text: str, name: str = "query") -> str:
    """The text on one line, cut to a sensible length. Raises Refusal if nothing is left."""
    said = " ".join(text.split())[:LONGEST_QUERY]
    if not any(letter.isalnum() for letter in said):
        raise Refusal(f"The argument {name} is empty; give a few words to look for.")
    return said


def no_data(what: str, **instead: object) -> dict[str, object]:
    """The answer of a tool that has nothing: what is missing, and what could be asked for instead."""
    return {"no_data": what, **instead}
