"""Conversations as far as their writer has come: the ended ones, and what to ask next of all others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from data.course import Course
from finetune.conversations.batch import Request
from finetune.conversations.question import Question, find_chain
from finetune.conversations.writer import RecordedWriter, TurnMissing
from scribe.agent import Agent, Limits
from scribe.messages import Message
from scribe.streaming import Check
from scribe.tool import Toolbox
from scribe.trajectory import Exchange, Task, Trajectory
from tools.conversation.task import make_task

SLIP = (
    "For practice, make a typical mistake of a small model in this call: a tool that does not exist, an argument that "
    "is missing or wrong, a week outside the course. Put it right after the refusal."
)
_ROLES = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}


@dataclass(frozen=True, slots=True)
class Classroom:
    """A course with what its conversations need: tools by student's id, and the check of answers."""

    course: Course
    tools: Callable[[str], Toolbox]
    check: Check


@dataclass(frozen=True, slots=True)
class Round:
    """What the turns so far come to. ended: trajectories by question id. requests: what to ask the writer now."""

    ended: Mapping[str, Trajectory]
    requests: Sequence[Request]


def advance(
    questions: Sequence[Question],
    turns: Mapping[str, str],
    classrooms: Mapping[str, Classroom],
    limits: Limits = Limits(),
) -> Round:
    """Play back all turns. Questions that follow an unanswered one wait; those that follow none answered never ask.

    questions: each behind the one that it follows. turns: what the writer said, by turn id (see `RecordedWriter`).
    """
    by_id = {one.id: one for one in questions}
    ended: dict[str, Trajectory] = {}
    requests: list[Request] = []
    for one in questions:
        earlier = [ended.get(before.id) for before in find_chain(one, by_id)]
        if any(done is None or done.answer is None for done in earlier):
            continue
        history = [Exchange(done.task.question, done.answer) for done in earlier if done and done.answer]
        room = classrooms[one.course]
        task = make_task(room.course, one.student, one.question, one.theory, history)
        try:
            ended[one.id] = _replay(one, task, turns, room, limits)
        except TurnMissing as missing:
            requests.append(Request(missing.id, list(_ask(missing.prompt, one.slip and missing.id.endswith("#1")))))
    return Round(ended, requests)


def _replay(question: Question, task: Task, turns: Mapping[str, str], room: Classroom, limits: Limits) -> Trajectory:
    writer = RecordedWriter(question.id, turns)
    # A writer draws nothing anew: it is told at once what was wrong, and each of its turns has a number.
    told = replace(limits, redraws=0)
    return Agent(writer, room.tools(question.student), room.check, limits=told).run(Trajectory(task))


def _ask(prompt: Sequence[Message], slip: bool) -> Iterator[Mapping[str, str]]:
    """The brief, then the prompt as the model reads it."""
    brief = files(__package__).joinpath("brief.md").read_text(encoding="utf-8")
    yield {"role": "system", "content": f"{brief}\n{SLIP}" if slip else brief}
    for message in prompt:
        yield {"role": _ROLES[message.role], "content": message.content}
