"""All tools of one student in one course."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from data.catalogue import Catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course, Student
from scribe.tool import Identity, Tool, Toolbox
from scribe.trajectory import Call, Observation
from tools import (
    exercise_search,
    get_course_syllabus,
    get_dependant_topics,
    get_feature_description,
    grade_calculator,
    impact_of_student_behaviors,
    map_week_to_topic,
    sort_student_features_with_importance,
    textbook_search,
)
from tools.phrases import ENGLISH, phrases
from tools.search.vault import Vault
from tools.task import LANGUAGES

if TYPE_CHECKING:  # it brings an HTTP library, 15 MB, and few have it
    from tools.web_search import WebSearch


def toolbox(
    course: Course, student_id: str, index: Vault, catalogue: Catalogue | None = None, web: "WebSearch | None" = None
) -> Toolbox:
    """The nine tools, bound to this student. Raises UnknownStudent for an id the course does not have.

    With `web` there is a tenth, `web_search`, which nothing is ever trained with.

    Share one `index` among all students and courses: it holds the embedding model and its vectors,
    which are made at the first search only. `catalogue` must be in the course's language.
    """
    student = course.student(student_id)
    identity = Identity(student.id, course.id, (course.title, *course.aliases))
    tools = _tools(course, student, index, catalogue, web)
    if course.language == ENGLISH:
        return Toolbox(tools, identity)
    english = replace(course, answered_in=ENGLISH)
    return Bilingual(tools, identity, lambda: _tools(english, student, index, None, web))


@dataclass(frozen=True)
class Bilingual(Toolbox):
    """The tools of a course in another language, which speak English where a question is asked in it.

    What they quote from textbook and exercises stays as it is; from the syllabus, if nobody translated it.
    """

    in_english: Callable[[], tuple[Tool, ...]]

    def call(self, call: Call, asked: str = "", language: str = "") -> Observation:
        """Run a call, in English if that is the language to answer in."""
        return self._english.call(call, asked) if language == LANGUAGES[ENGLISH] else Toolbox.call(self, call, asked)

    @cached_property
    def _english(self) -> Toolbox:
        return Toolbox(self.in_english(), self.identity)


def _tools(
    course: Course, student: Student, index: Vault, catalogue: Catalogue | None, web: "WebSearch | None"
) -> tuple[Tool, ...]:
    features = catalogue or catalogue_in(course.spoken)
    tools: tuple[Tool, ...] = (
        map_week_to_topic.make(course),
        get_dependant_topics.make(course),
        get_course_syllabus.make(course, index),
        textbook_search.make(course, index),
        exercise_search.make(course, index),
        grade_calculator.make(course, student),
        sort_student_features_with_importance.make(course, student, features),
        get_feature_description.make(features, phrases(course.spoken)),
        impact_of_student_behaviors.make(course, student, features, index),
    )
    if web is None:
        return tools
    from tools import web_search

    return (*tools, web_search.make(web, course.spoken))
