"""What judging needs to know of courses: the tools that an assistant had, the check of its answers, its questions."""

from collections.abc import Mapping
from functools import cached_property

from app import build
from app.settings import Settings
from data.catalogue import load_catalogue
from data.course import Course
from eval.judge.local import LocalChecks
from scribe.grounding import Grounding
from scribe.records import Record
from tools import lexicon
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.search.vault import Vault


class Parts:
    """The courses of the settings, each read once. Raises UsageError or BundleError where one is unknown or broken."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._courses: dict[str, Course] = {}
        self._tools: dict[str, Mapping[str, str]] = {}
        self._checks: dict[str, Grounding] = {}

    def tools(self, record: Record) -> Mapping[str, str]:
        """The lines of the course's tools by name, which are the same for all its students."""
        name = record.task.course
        if name not in self._tools:
            course = self._course(name)
            vault, web = Vault(self._embedder), build.web(self._settings)
            tools = toolbox(course, next(iter(course.students)), vault, web=web).tools
            self._tools[name] = {tool.name: tool.signature for tool in tools}
        return self._tools[name]

    @property
    def checks(self) -> LocalChecks:
        """The checks without a model."""
        return LocalChecks(self._grounded)

    def _grounded(self, record: Record) -> Grounding:
        name = record.task.course
        if name not in self._checks:
            self._checks[name] = Grounding(lexicon.make(self._course(name), load_catalogue()))
        return self._checks[name]

    def _course(self, name: str) -> Course:
        if name not in self._courses:
            self._courses[name] = build.course(self._settings, name)
        return self._courses[name]

    @cached_property
    def _embedder(self) -> MiniLM:
        return MiniLM()
