"""A model asked in this process, as benches do it: one question to its trajectory."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from data.bundle import Course, find
from data.catalogue import load_catalogue
from eval.questions import WrittenQuestion
from scribe.agent import Agent, Limits
from scribe.backend import Backend, Sampling
from scribe.grounding import Grounding
from scribe.streaming import AnswerStream
from scribe.trajectory import Trajectory
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.search.vault import Vault

if TYPE_CHECKING:  # see `tools.build`
    from tools.web_search import WebSearch


class QuestionAnswerer:
    """A model and the courses it is asked about; threads may ask at once.

    web: gives it the optional tool. by_heart: see `Agent`. limits, sampling: of every question.
    """

    def __init__(
        self,
        backend: Backend,
        web: "WebSearch | None" = None,
        by_heart: bool = False,
        limits: Limits = Limits(),
        sampling: Sampling = Sampling(),
    ) -> None:
        self.backend = backend
        self._web = web
        self._by_heart = by_heart
        self._limits = limits
        self._sampling = sampling
        self._vault = Vault(MiniLM())
        self._courses: dict[str, Course] = {}

    def warm(self, asked: WrittenQuestion) -> None:
        """Load course, tools and search model, without any language model."""
        self._agent(asked)
        self._vault.embedder.embed(["warm"], role="query")

    def answer(self, asked: WrittenQuestion, show: Callable[[str], None] | None = None) -> Trajectory:
        """The ended trajectory of one question. show: gets each checked sentence of the answer, as a page does.

        Raises BackendError.
        """
        agent = self._agent(asked)
        made = task.make(self._courses[asked.course], asked.student, asked.question, asked.theory, asked.history)
        done = Trajectory(made)
        while done.stop is None:
            stream = AnswerStream(agent.check, done, show, begun=agent.begun(done)) if show else None
            done = agent.step(done, stream)
        return done

    def _agent(self, asked: WrittenQuestion) -> Agent:
        if asked.course not in self._courses:
            self._courses[asked.course] = find(asked.course)
        course = self._courses[asked.course]
        return Agent(
            self.backend,
            toolbox(course, asked.student, self._vault, web=self._web),
            Grounding(lexicon.make(course, load_catalogue())),
            limits=self._limits,
            sampling=self._sampling,
            goes_on=True,
            by_heart=self._by_heart,
        )
