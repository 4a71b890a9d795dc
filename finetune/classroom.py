"""The courses that training conversations are about, each read once, with their tools and the check of answers."""

from functools import lru_cache
from pathlib import Path

from data import bundle
from data.bundle import COURSES
from data.course import Course
from scribe.grounding import Grounding
from tools.assembly import assistant
from tools.assembly.settings import AssistantSettings


@lru_cache(maxsize=8)
def load_course(name: str, folder: Path = COURSES) -> Course:
    """The course of this id or alias in a folder of bundles. Raises BundleError if there is none."""
    return bundle.find(name, folder)


@lru_cache(maxsize=8)
def make_check(name: str, folder: Path = COURSES) -> Grounding:
    """The check that answers about a course claim only what is supported. Raises BundleError."""
    return assistant.make_check(load_course(name, folder))


@lru_cache(maxsize=8)
def list_tools(name: str, folder: Path = COURSES) -> str:
    """How a course's prompts list the tools; all its students have the same. Raises BundleError."""
    return assistant.make_sample_toolbox(AssistantSettings(), load_course(name, folder)).listing
