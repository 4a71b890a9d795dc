"""Two questions asked at once, answered one after the other: a small model sees only one of them.

How far it has come stands in the trajectory: a `Part` ends the first question, and what stands behind it belongs to
the second. So a step depends on nothing but the trajectory, as any agent's does.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from app.distress import FRENCH, CaringAgent, answer_to
from scribe.agent import Agent
from scribe.backend import OnText
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER
from scribe.trajectory import Answer, Exchange, Part, Stop, Task, Trajectory
from tools.reading.parts import parts

BETWEEN = "\n\n"
"""What stands between two answers."""
OPEN = "One of the two questions stays open."
_OPEN = {
    "English": ("I found no answer to your first question.", "I found no answer to your second question."),
    FRENCH: (
        "Je n'ai pas trouvé de réponse à votre première question.",
        "Je n'ai pas trouvé de réponse à votre seconde question.",
    ),
}
"""Said of the first or the second question. Never quoted: a number of the student's has passed no check."""
_START, _END = r"(?:^|(?<=[.!?…]\s)|(?<=\n))", r"(?=\s|$)"
"""Around what is said in whole sentences, or lines."""


@dataclass(frozen=True, slots=True)
class PartingAgent(CaringAgent):
    """An agent that answers two questions asked at once part by part.

    hinted: makes the hint of a part, and leaves out a history that it does not lean on.
    """

    hinted: Callable[[Task], Task] = field(kw_only=True)

    @classmethod
    def of(cls, agent: CaringAgent, hinted: Callable[[Task], Task]) -> "PartingAgent":
        """The same agent, which also answers part by part."""
        return cls(**{each.name: getattr(agent, each.name) for each in fields(agent)}, hinted=hinted)

    def step(self, trajectory: Trajectory, on_text: OnText | None = None) -> Trajectory:
        """The trajectory one turn later, or the same one if it has ended."""
        task = trajectory.task
        asked = parts(task.question)
        if trajectory.stop is not None or len(asked) < 2 or answer_to(task.question, task.language):
            return CaringAgent.step(self, trajectory, on_text)
        first = next((step for step in trajectory.steps if isinstance(step, Part)), None)
        now = self._settled(self._current(trajectory, asked, first))
        if now.stop is not None:
            return _given_up(trajectory, first, now)
        later = Agent.step(self, now, _behind(first, on_text))
        return _put_back(trajectory, first, now, later)

    def _current(self, trajectory: Trajectory, asked: tuple[str, ...], first: Part | None) -> Trajectory:
        """The part that is being answered, as a question of its own, with its own steps."""
        if first is None:
            return Trajectory(self.hinted(replace(trajectory.task, question=asked[0])), trajectory.steps)
        told = (Exchange(first.question, first.text),) if first.text else ()
        task = replace(trajectory.task, question=asked[1], history=(*trajectory.task.history, *told))
        return Trajectory(self.hinted(task), trajectory.steps[trajectory.steps.index(first) + 1 :])


def _put_back(trajectory: Trajectory, first: Part | None, now: Trajectory, later: Trajectory) -> Trajectory:
    """The whole trajectory with what happened in the part."""
    if len(later.steps) == len(now.steps):  # nothing was said
        full = later.stop is Stop.CONTEXT_FULL and trajectory.steps
        return _given_up(trajectory, first, now) if full else trajectory.ended(later.stop or Stop.UNRESOLVED)
    step = later.steps[-1]
    if not isinstance(step, Answer):
        return trajectory.then(step, later.usage)
    if first is None:
        return trajectory.then(_part(now.task, step.thought, step.text), later.usage)
    whole = joined(first.text, step.text) if first.text else step.text + BETWEEN + _left_open(now.task, 0)
    return trajectory.then(Answer(step.thought, whole), later.usage).ended(Stop.ANSWERED)


def _given_up(trajectory: Trajectory, first: Part | None, now: Trajectory) -> Trajectory:
    """The whole trajectory when a part ends without an answer: on to the second, or an end with what there is."""
    if first is None:
        return trajectory.then(_part(now.task, OPEN, ""))
    if not first.text:
        return trajectory.ended(Stop.UNRESOLVED)
    whole = first.text + BETWEEN + _left_open(now.task, 1)
    return trajectory.then(Answer(OPEN, whole)).ended(Stop.ANSWERED)


def joined(first: str, second: str) -> str:
    """Both answers, the first first and each whole; the first alone if it says all of the second."""
    return first if _says(first, second) else first + BETWEEN + second


def _part(task: Task, thought: str, text: str) -> Part:
    """The end of the first question, with all that the model read beside it."""
    return Part(thought, task.question, text, task.hint, task.history)


def _left_open(task: Task, which: int) -> str:
    """The sentence that the first (0) or the second question (1) stays unanswered."""
    return _OPEN.get(task.language, _OPEN["English"])[which]


def _says(first: str, second: str, end: str = _END) -> bool:
    """Whether the first answer says all of the second, as whole sentences or lines."""
    return bool(re.search(_START + re.escape(second.strip()) + end, first))


def _may_say(first: str, written: str) -> bool:
    """Whether the first answer may say all of a second that is still being written."""
    second, ended, _ = written.partition(END_OF_FINAL_ANSWER)
    if ended:
        return _says(first, second)
    at = second.rfind(END_OF_FINAL_ANSWER[0])
    begun = at >= 0 and END_OF_FINAL_ANSWER.startswith(second[at:])  # the mark, which is no part of the answer
    return _says(first, second[:at] if begun else second, end="")


def _behind(first: Part | None, on_text: OnText | None) -> OnText | None:
    """Who listens hears the first answer before the second, as the whole answer will read."""
    return Behind(first.text, on_text) if first and first.text and on_text else on_text


@dataclass(slots=True)
class Behind:
    """Passes a turn on, piece by piece, with the first answer put where its own begins.

    What the first answer says as well is kept back until more follows, since `joined` may leave it out.
    """

    first: str
    on_text: OnText
    _raw: str = ""
    _passed: int = 0
    _put: bool = False

    def __call__(self, piece: str) -> bool | None:
        """Pass one more piece on; False when the turn is to be cancelled."""
        self._raw += piece
        at = _answer_at(self._raw)
        if at is None or self._put:
            return self.on_text(self._fresh(len(self._raw)))
        fresh = self._fresh(at)
        if not _may_say(self.first, self._raw[at:]):
            self._put = True
            fresh += self.first + BETWEEN + self._fresh(len(self._raw)).lstrip()
        return self.on_text(fresh)  # also of nothing, since it may be the moment to cancel

    def _fresh(self, end: int) -> str:
        """What was not passed on yet, up to here."""
        fresh, self._passed = self._raw[self._passed : end], end
        return fresh


def _answer_at(raw: str) -> int | None:
    """Where the answer of a turn begins; None if it has not begun."""
    reasoned = raw.find(END_OF_REASONING)
    at = raw.find(FINAL_ANSWER, reasoned) if reasoned >= 0 else -1
    return at + len(FINAL_ANSWER) if at >= 0 else None
