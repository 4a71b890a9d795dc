"""What the tools of one conversation look at: a student, a course and the language in which names are given."""

from dataclasses import dataclass
from functools import cached_property

from data.catalogue import Catalogue, Feature
from data.catalogue_languages import catalogue_in
from data.course import Course, Student
from tools.search.vector_store import VectorStore
from tools.text.words import ENGLISH
from tools.view.class_view import ClassView

QUARTERS = ("lowest", "lower middle", "upper middle", "highest")
"""The quarters of a class by value, as tools name them; quartile 1 to 4."""


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
        """The class as a whole."""
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
