"""All tools of one student in one course."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from data.course import Course
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
from tools.conversation import LANGUAGES
from tools.search.text import ENGLISH
from tools.search.vector_store import VectorStore
from tools.view import StudentView

if TYPE_CHECKING:  # it brings an HTTP library, 15 MB, and few have it
    from tools.web_search import WebSearch

_TOOLS = (
    map_week_to_topic,
    get_dependant_topics,
    get_course_syllabus,
    textbook_search,
    exercise_search,
    grade_calculator,
    sort_student_features_with_importance,
    get_feature_description,
    impact_of_student_behaviors,
)


def make_toolbox(course: Course, student_id: str, store: VectorStore, web: "WebSearch | None" = None) -> Toolbox:
    """All of `_TOOLS`, bound to this student; with `web` that one too. Raises UnknownStudent.

    Share one `store` among all: it holds the embedding model and its vectors, made at the first search only.
    """
    student = course.student(student_id)
    identity = Identity(student.id, course.id, (course.title, *course.aliases))

    def tools(language: str) -> tuple[Tool, ...]:
        view = StudentView(course, student, store, language)
        return (*(one.make(view) for one in _TOOLS), *([web.tool(language)] if web else []))

    if course.language == ENGLISH:
        return Toolbox(tools(ENGLISH), identity)
    return BilingualToolbox(tools(course.language), identity, lambda: tools(ENGLISH))


@dataclass(frozen=True)
class BilingualToolbox(Toolbox):
    """The tools of a course in another language, which give English names in a conversation in English.

    What they quote from textbook and exercises stays as it is; from the syllabus, if nobody translated it.
    """

    in_english: Callable[[], tuple[Tool, ...]]

    def call(self, call: Call, language: str = "") -> Observation:
        """Run a call, in English if that is the language of the conversation."""
        return self._english.call(call) if language == LANGUAGES[ENGLISH] else Toolbox.call(self, call)

    @cached_property
    def _english(self) -> Toolbox:
        return Toolbox(self.in_english(), self.identity)
