"""The assistant of one course: an agent with a crisis guard for each of its students, and their questions as tasks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from data import bundle
from data.catalogue import load_catalogue
from data.course import BrokenBundle, BundleError, Course, Student, UnknownStudent
from scribe.agent import Agent, Limits
from scribe.backend import Backend, Sampling
from scribe.dialect import DIALECTS
from scribe.grounding import Grounding
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.tool import Toolbox
from scribe.trajectory import Exchange, Task
from tools.assembly.crisis import CrisisGuard
from tools.assembly.model import knows_tools, make_embedder, make_web_search
from tools.assembly.settings import AssistantSettings
from tools.conversation import make_lexicon, make_task
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

if TYPE_CHECKING:  # see `tools.toolbox`
    from tools.web_search import WebSearch


@dataclass(frozen=True, slots=True)
class Assistant:
    """One course, one model, any of its students. Safe to share among threads as its backend is.

    web: the optional tenth tool.
    """

    course: Course
    backend: Backend
    vault: VectorStore
    settings: AssistantSettings
    web: "WebSearch | None" = None

    def student(self, student_id: str) -> Student:
        """One student of the course. Raises UsageError with the closest ids."""
        return find_student(self.course, student_id)

    def agent(self, student_id: str) -> Agent:
        """An agent whose tools are bound to this student. Raises UsageError for an unknown id."""
        answer = self.settings.answer
        return CrisisGuard(
            self.backend,
            make_toolbox(self.course, self.student(student_id).id, self.vault, web=self.web),
            make_check(self.course),
            DIALECTS[self.settings.model.dialect](),
            Limits(answer.steps, answer.faults, answer.repeats, redraws=answer.redraws),
            Sampling(answer.temperature, answer.top_p, answer.seed, answer.max_tokens, answer.certainty),
            self.settings.model.backend != "api",
            knows_tools(self.settings),
            answer.help,
        )

    def warm(self) -> None:
        """Load the search model, which takes seconds, before the first question needs it."""
        self.vault.embedder.embed(["warm"], role="query")

    def task(self, student_id: str, question: str, theory: str | None = None, history: Sequence[Exchange] = ()) -> Task:
        """A question of this student as a task. Raises UsageError for what cannot be used."""
        kind = theory or self.settings.courses.theory
        return make_task(self.course, self.student(student_id).id, question, kind, history)


def assemble(settings: AssistantSettings, course: Course, backend: Backend) -> Assistant:
    """The assistant of one course around a model. Raises UsageError or ModelFileError."""
    return Assistant(course, backend, VectorStore(make_embedder(settings)), settings, make_web_search(settings))


def assemble_each(settings: AssistantSettings, courses: Iterable[Course], backend: Backend) -> dict[str, Assistant]:
    """An assistant for each course by its id; they share model, search and vectors."""
    vault, web = VectorStore(make_embedder(settings)), make_web_search(settings)
    return {course.id: Assistant(course, backend, vault, settings, web) for course in courses}


def make_check(course: Course) -> Grounding:
    """What holds an answer about this course against report and observations."""
    return Grounding(make_lexicon(course, load_catalogue()))


def make_sample_toolbox(settings: AssistantSettings, course: Course) -> Toolbox:
    """The tools of the course's first student, whose listing is that of all; they embed nothing that is kept."""
    return make_toolbox(course, next(iter(course.students)), VectorStore(MiniLM()), web=make_web_search(settings))


def find_course(settings: AssistantSettings, name: str | None = None) -> Course:
    """The course of this name, id or alias. Raises UsageError if there is none, BundleError if broken."""
    wanted = name or settings.courses.course
    try:
        return bundle.find(wanted, locate_courses(settings))
    except BrokenBundle:
        raise
    except BundleError as error:
        raise UsageError(f"{error}; `scribe courses list` shows them") from error


def locate_courses(settings: AssistantSettings) -> Path:
    """The folder where the bundles lie."""
    return Path(settings.courses.folder) if settings.courses.folder else bundle.COURSES


def find_student(course: Course, student_id: str) -> Student:
    """One student of a course. Raises UsageError with the closest ids and how to list all."""
    try:
        return course.student(student_id)
    except UnknownStudent as error:
        raise UsageError(f"{error}; `scribe students --course {course.id}` lists all") from error


class RecordedCourses:
    """The courses that records are about, each read once. Raise UsageError or BundleError for one unknown or broken."""

    def __init__(self, settings: AssistantSettings) -> None:
        self._settings = settings
        self._course = cache(lambda name: find_course(settings, name))
        self._check = cache(lambda name: make_check(self._course(name)))
        self._signatures = cache(self._list_signatures)

    def signatures(self, record: Record) -> Mapping[str, str]:
        """The lines of the course's tools by name, which are the same for all its students."""
        return self._signatures(record.task.course)

    def check(self, record: Record) -> Grounding:
        """What holds an answer about the record's course against report and observations."""
        return self._check(record.task.course)

    def _list_signatures(self, name: str) -> Mapping[str, str]:
        tools = make_sample_toolbox(self._settings, self._course(name)).tools
        return {tool.name: tool.signature for tool in tools}
