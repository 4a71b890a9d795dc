"""One question after the other, with the time that each step took and where it went."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from data.catalogue import load_catalogue
from data.course import Course
from eval.asking import Written
from eval.bench.clocks import Clock, ClockedBackend, ClockedDialect, ClockedEmbedder, clocked_check, clocked_tool
from eval.bench.replay import ReplayBackend
from scribe.agent import Agent
from scribe.backends.llama import LlamaBackend
from scribe.dialect import MarkerDialect
from scribe.grounding import Grounding
from scribe.streaming import AnswerStream
from scribe.tool import Toolbox
from scribe.trajectory import Trajectory
from scribe.transcript import to_messages
from tools.conversation.lexicon import make_lexicon
from tools.conversation.task import make_task
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

Clocked = LlamaBackend | ReplayBackend
"""A model on our engine: its own words, or those that were recorded."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. seconds: of the whole, as `step`, and of its parts by name; see `clocks`. kind: of what came of it."""

    kind: str
    searched: bool
    seconds: Mapping[str, float]

    @property
    def loop(self) -> float:
        return self.seconds["step"] - self.seconds["model"]

    @property
    def but_evaluating(self) -> float:
        return self.seconds["step"] - self.seconds["evaluating"]


class Stopwatch:
    """The model, the course and the search, each with the same clock beside it."""

    def __init__(self, backend: Clocked, course: Course) -> None:
        self.clock = Clock()
        self._backend = backend
        self._course = course
        self._vault = VectorStore(ClockedEmbedder(MiniLM(), self.clock))
        self._check = Grounding(make_lexicon(course, load_catalogue()))

    def steps(self, written: Written) -> Iterator[Step]:
        """Answer a question as the chat does, each sentence checked as soon as it is there."""
        agent = self._agent(written.student)
        done = Trajectory(make_task(self._course, written.student, written.question, written.theory))
        while done.stop is None:
            before = done
            done, seconds = self._timed(agent, before)
            yield Step(done.steps[-1].kind if done.steps else "none", "embedding" in seconds, seconds)

    def _agent(self, student: str) -> Agent:
        whole = make_toolbox(self._course, student, self._vault)
        tools = Toolbox(tuple(clocked_tool(tool, self.clock) for tool in whole.tools), whole.identity)
        dialect = ClockedDialect(MarkerDialect(), self.clock)
        check = clocked_check(self._check, self.clock)
        return Agent(ClockedBackend(self._backend, self.clock), tools, check, dialect)

    def _timed(self, agent: Agent, before: Trajectory) -> tuple[Trajectory, Mapping[str, float]]:
        stream = AnswerStream(self._check, before, _unseen)  # its checks are of `screen`
        self.clock.taken()
        busy = self._backend.engine.counters().busy_seconds
        with self.clock.on("step"):
            done = agent.step(before, stream)
        seconds = dict(self.clock.taken())
        seconds["evaluating"] = self._backend.engine.counters().busy_seconds - busy
        # What cannot be clocked where it is done is done once more.
        with self.clock.on("prompt"):
            messages = to_messages(before, agent.listing)
        with self.clock.on("tokens"):
            self._backend.chat.prompt(messages)
        return done, {**seconds, **self.clock.taken()}


def _unseen(text: str) -> None:
    """There is no screen."""
