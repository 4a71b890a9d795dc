"""The courses that training conversations are about, each read once, with their tools and the check of answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from data import bundle
from data.bundle import COURSES
from data.catalogue import load_catalogue
from data.course import Course
from scribe.grounding import Grounding
from scribe.streaming import Check
from scribe.tool import Toolbox
from tools.conversation import make_lexicon
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


@dataclass(frozen=True, slots=True)
class Classroom:
    """A course with what its conversations need."""

    course: Course
    tools: Callable[[str], Toolbox]
    """By student's id."""
    check: Check


@lru_cache(maxsize=8)
def load_course(name: str, folder: Path = COURSES) -> Course:
    """The course of this id or alias in a folder of bundles. Raises BundleError if there is none."""
    return bundle.find(name, folder)


@lru_cache(maxsize=8)
def make_check(name: str, folder: Path = COURSES) -> Grounding:
    """The check that answers about a course claim only what is supported. Raises BundleError."""
    return Grounding(make_lexicon(load_course(name, folder), load_catalogue()))


@lru_cache(maxsize=8)
def list_tools(name: str, folder: Path = COURSES) -> str:
    """How a course's prompts list the tools; all its students have the same. Raises BundleError."""
    course = load_course(name, folder)
    return make_toolbox(course, next(iter(course.students)), VectorStore(MiniLM())).listing


def open_classrooms(names: Iterable[str], folder: Path = COURSES) -> Mapping[str, Classroom]:
    """The classroom of each of these courses by its name. Raises BundleError."""
    vault = VectorStore(MiniLM())

    def open_classroom(name: str) -> Classroom:
        course = load_course(name, folder)
        tools = lru_cache(maxsize=None)(lambda student: make_toolbox(course, student, vault))
        return Classroom(course, tools, make_check(name, folder))

    return {name: open_classroom(name) for name in dict.fromkeys(names)}
