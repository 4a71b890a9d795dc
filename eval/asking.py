"""A model asked in this process, for benches: a file's questions, and one question to its trajectory.

A line is {"id", "course", "student", "theory", "question", "history", "tools", "category"}; `tools` are the
acceptable first tools, "" standing for an answer without any. `scribe evaluate` is for finding out how good it is.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from data.bundle import find
from data.catalogue import load_catalogue
from data.course import Course
from scribe.agent import Agent
from scribe.backend import Backend
from scribe.errors import UsageError
from scribe.grounding import Grounding
from scribe.trajectory import Exchange, Trajectory
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.search.vault import Vault

if TYPE_CHECKING:  # see `tools.build`
    from tools.web_search import WebSearch


@dataclass(frozen=True, slots=True)
class Written:
    """A question that a person wrote, with the first tools that would be right."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    tools: tuple[str, ...]
    category: str
    history: tuple[Exchange, ...] = ()


_LINE = TypeAdapter(Written)


def read(path: Path) -> list[Written]:
    """The questions of a file. Raises UsageError naming file and line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found.append(_LINE.validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{path}:{number}: {where}: {first['msg']}") from error
    return found


class Asking:
    """A model and the courses it is asked about. web: gives it the optional tool. by_heart: see `Agent`."""

    def __init__(self, backend: Backend, web: "WebSearch | None" = None, by_heart: bool = False) -> None:
        self.backend = backend
        self._web = web
        self._by_heart = by_heart
        self._vault = Vault(MiniLM())
        self._courses: dict[str, Course] = {}

    def answer(self, written: Written) -> Trajectory:
        """The ended trajectory of one question."""
        if written.course not in self._courses:
            self._courses[written.course] = find(written.course)
        course = self._courses[written.course]
        tools = toolbox(course, written.student, self._vault, web=self._web)
        check = Grounding(lexicon.make(course, load_catalogue()))
        agent = Agent(self.backend, tools, check, by_heart=self._by_heart)
        asked = task.make(course, written.student, written.question, written.theory, written.history)
        return agent.run(Trajectory(asked))
