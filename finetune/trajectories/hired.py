"""A model behind an OpenAI-compatible address answers rows of a file of questions."""

from collections.abc import Mapping

from finetune.questions import Question
from finetune.questions.row import Row
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.outcome import Outcome, answered, unanswered
from finetune.trajectories.settings import TrajectorySettings
from scribe.agent import Agent, Limits
from scribe.backend import Sampling
from scribe.backends.api import ApiBackend
from scribe.trajectory import Exchange, Stop, Trajectory, Usage
from tools.build import toolbox


class HiredTeacher:
    """Reads the same prompts, calls the same tools and passes the same check as the model in use. Threads may ask."""

    def __init__(self, rooms: Mapping[str, Classroom], settings: TrajectorySettings) -> None:
        self._rooms = rooms
        self._settings = settings
        self._limits = Limits(settings.steps, settings.faults)
        self._backend = ApiBackend(settings.base_url, settings.model, timeout=settings.timeout, pause=settings.pause)

    def answer(self, row: Row) -> Outcome:
        """The row's trajectory, the first of `tries` that ends answered. Raises BackendError."""
        room = self._rooms[row.course]
        question = row.asked or Question("", row.question)
        task = room.asked(question, row.student, row.theory, self._before(row))
        # Bound anew for each row: threads do not share what the classroom keeps of a few students.
        tools = toolbox(room.course, row.student, room.vault, room.catalogue)
        spent = Usage()
        for attempt in range(self._settings.tries):
            agent = Agent(self._backend, tools, room.check, limits=self._limits, sampling=self._sampling(attempt))
            done = agent.run(Trajectory(task))
            spent += done.usage
            if done.stop is Stop.ANSWERED:
                break
        if done.stop is not Stop.ANSWERED:
            return unanswered(row, done, spent)
        made = answered(row, done, dict(self._backend.info))
        return Outcome(made.id, made.record, usage=spent)

    def _before(self, row: Row) -> tuple[Exchange, ...]:
        """A follow-up whose earlier answer nobody wrote down is asked alone."""
        return row.history

    def _sampling(self, attempt: int) -> Sampling:
        given = self._settings
        return Sampling(given.temperature, given.top_p, given.seed + 1000 * attempt, given.max_tokens)
