"""One question from task to record, telling whoever listens what happens on the way."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from scribe.agent import Agent
from scribe.records import Record
from scribe.streaming import AnswerStream, find_answer, never_stop
from scribe.trajectory import Step, Stop, Task, Trajectory


@dataclass(frozen=True, slots=True)
class Stepped:
    """A step was taken."""

    step: Step


@dataclass(frozen=True, slots=True)
class Said:
    """More of the answer, already checked as far as it goes."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """What was said of the answer so far does not hold as a whole: take it off the screen."""


Event = Stepped | Said | Retracted
Tell = Callable[[Event], None]


def ask(agent: Agent, task: Task, tell: Tell, stopped: Callable[[], bool] = never_stop) -> Record:
    """Answer one question. `stopped` is asked again and again; True ends it as cancelled.

    Earlier exchanges that do not fit the model's context beside the question are left out, oldest first.
    Raises BackendError.
    """
    ended = _walked(agent, Trajectory(task), tell, stopped)
    while ended.stop is Stop.CONTEXT_FULL and ended.task.history:
        shorter = replace(ended.task, history=ended.task.history[1:])
        ended = _walked(agent, Trajectory(shorter), tell, stopped)
    return Record.of(ended, uuid.uuid4().hex, agent.backend.info)


def _walked(agent: Agent, trajectory: Trajectory, tell: Tell, stopped: Callable[[], bool]) -> Trajectory:
    shown = ""
    while trajectory.stop is None:
        if stopped():
            return trajectory.ended(Stop.CANCELLED)
        begun = agent.begun(trajectory)
        stream = AnswerStream(agent.check, trajectory, lambda text: tell(Said(text)), stopped, shown, begun)
        later = agent.step(trajectory, stream)
        stands = later.answer or find_answer(agent.begun(later))
        shown = stream.shown if stands.startswith(stream.shown) else ""
        if stream.shown and not shown and later.stop is not Stop.CANCELLED:
            tell(Retracted())
        if len(later.steps) > len(trajectory.steps):
            tell(Stepped(later.steps[-1]))
        trajectory = later
    return trajectory
