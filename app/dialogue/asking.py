"""One question from task to record, telling whoever listens what happens on the way."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from scribe.agent import Agent
from scribe.records import Record
from scribe.streaming import AnswerStream, find_answer, never_stop
from scribe.trajectory import Step, Stop, Task, Trajectory


@dataclass(frozen=True, slots=True)
class StepTaken:
    step: Step


@dataclass(frozen=True, slots=True)
class AnswerText:
    """More of the answer, already checked as far as it goes."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerRetracted:
    """What was said of the answer so far does not hold as a whole: take it off the screen."""


Event = StepTaken | AnswerText | AnswerRetracted
OnEvent = Callable[[Event], None]


def ask(agent: Agent, task: Task, on_event: OnEvent, stopped: Callable[[], bool] = never_stop) -> Record:
    """Answer one question. `stopped` is asked again and again; True ends it as cancelled.

    Earlier exchanges that do not fit the model's context beside the question are left out, oldest first.
    Raises BackendError.
    """
    ended = _walk(agent, Trajectory(task), on_event, stopped)
    while ended.stop is Stop.CONTEXT_FULL and ended.task.history:
        shorter = replace(ended.task, history=ended.task.history[1:])
        ended = _walk(agent, Trajectory(shorter), on_event, stopped)
    return Record.of(ended, uuid.uuid4().hex, agent.backend.info)


def _walk(agent: Agent, trajectory: Trajectory, on_event: OnEvent, stopped: Callable[[], bool]) -> Trajectory:
    shown = ""
    while trajectory.stop is None:
        if stopped():
            return trajectory.ended(Stop.CANCELLED)
        begun = agent.begun(trajectory)
        stream = AnswerStream(agent.check, trajectory, lambda text: on_event(AnswerText(text)), stopped, shown, begun)
        later = agent.step(trajectory, stream)
        stands = later.answer or find_answer(agent.begun(later))
        shown = stream.shown if stands.startswith(stream.shown) else ""
        if stream.shown and not shown and later.stop is not Stop.CANCELLED:
            on_event(AnswerRetracted())
        if len(later.steps) > len(trajectory.steps):
            on_event(StepTaken(later.steps[-1]))
        trajectory = later
    return trajectory
