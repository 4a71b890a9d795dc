"""One question after the other, with the time that each step took and where it went."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from data.bundle import EMBEDDED, HINTS, PAIRS, WORDS
from data.catalogue import load_catalogue
from data.course import Course
from eval.asking import Written
from eval.bench.clocks import Clock, ClockedBackend, ClockedDialect, ClockedEmbedder, clocked_check, clocked_tool
from scribe import neighbours
from scribe.agent import Agent
from scribe.backend import Sampling
from scribe.backends.copying import SHARE
from scribe.backends.llama import LlamaBackend
from scribe.dialect import MarkerDialect
from scribe.grounding import Grounding
from scribe.quoting import Quoting, load_words
from scribe.streaming import AnswerStream
from scribe.tool import Toolbox
from scribe.trajectory import Trajectory
from scribe.transcript import to_messages
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.reading.first_thought import openings
from tools.reading.hints import Hints
from tools.reading.naming import Naming
from tools.reading.reader import embedder_for, load
from tools.search.vault import Vault


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

    def __init__(self, backend: LlamaBackend, course: Course) -> None:
        self.clock = Clock()
        self._backend = backend
        self._course = course
        self._vault = Vault(ClockedEmbedder(MiniLM(), self.clock))
        head = load(EMBEDDED / HINTS)
        self._hints = Hints(embedder_for(head, self._vault.embedder), head)
        own, pairs = load_words(EMBEDDED / WORDS), neighbours.load(EMBEDDED / PAIRS)
        self._check = Quoting(Grounding(lexicon.make(course, load_catalogue())), own, pairs)
        self._naming = Naming(course)

    def steps(self, written: Written) -> Iterator[Step]:
        """Answer a question as the chat does, each sentence checked as soon as it is there."""
        agent = self._agent(written.student)
        hint = task.hinted(self._hints(written.question), written.question, self._naming)
        done = Trajectory(task.make(self._course, written.student, written.question, written.theory, (), hint))
        while done.stop is None:
            before = done
            done, seconds = self._timed(agent, before)
            yield Step(done.steps[-1].kind if done.steps else "none", "embedding" in seconds, seconds)

    def hint_seconds(self, written: Written) -> float:
        """How long it takes to see what a question asks, which is done once, before its first step."""
        began = time.perf_counter()
        self._hints(written.question)
        self._hints.leans(written.question, "")
        return time.perf_counter() - began

    def _agent(self, student: str) -> Agent:
        whole = toolbox(self._course, student, self._vault)
        tools = Toolbox(tuple(clocked_tool(tool, self.clock) for tool in whole.tools), whole.identity)
        dialect = ClockedDialect(MarkerDialect(), self.clock)
        check = clocked_check(self._check, self.clock)
        sampling = Sampling(copying=SHARE)
        model = ClockedBackend(self._backend, self.clock)
        return Agent(model, tools, check, dialect, sampling=sampling, openings=openings)

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
            messages = to_messages(before, agent.toolbox.listing)
        with self.clock.on("tokens"):
            self._backend.chat.prompt(messages)
        return done, {**seconds, **self.clock.taken()}


def _unseen(text: str) -> None:
    """There is no screen."""
