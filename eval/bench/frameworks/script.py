"""What the replaying server is to say: the turns of our agent, found again by what stands in a request."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from scribe import prompts
from scribe.errors import UsageError
from scribe.messages import defuse
from scribe.trajectory import Act, Answer, Fault, Step, Task, Trajectory
from scribe.transcript import opening


@dataclass(frozen=True, slots=True)
class Reply:
    """One turn: what the model thought, the calls it made or the answer it gave, and how many tokens it wrote."""

    thought: str
    calls: tuple[Mapping[str, Any], ...]
    answer: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Part:
    """One question: whose, what the framework's agent is told and asked, and the turns, the last one an answer."""

    student: str
    report: str
    told: str
    asked: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """All questions of one course, and its tools as OpenAI's interface describes them."""

    course: str
    tools: tuple[Mapping[str, Any], ...]
    parts: tuple[Part, ...]

    def reply(self, messages: Sequence[Mapping[str, Any]]) -> Reply:
        """The turn that is due. Raises UsageError for a question that is not in the script or is answered already."""
        said = "\n".join(text_of(message) for message in messages)
        due = sum(1 for message in messages if message["role"] == "assistant")
        fitting = [each for each in self.parts if each.asked in said and each.report in said]
        if not fitting:
            raise UsageError("no question of the script is in this request")
        replies = max(fitting, key=lambda each: len(each.asked)).replies  # a question may be a part of another
        if due >= len(replies):
            raise UsageError(f"turn {due + 1} of a question that has its answer after {len(replies)}")
        return replies[due]


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text, given as a string, as a list of parts, or not at all."""
    content = message.get("content")
    return "".join(part["text"] for part in content) if isinstance(content, list) else content or ""


def part(done: Trajectory, tokens: Sequence[int]) -> Part:
    """A question that our agent has answered; tokens: written in each of its steps.

    The first turn that calls no tool ends it, also if our checks refused it: the frameworks check nothing.
    """
    if done.task.history:
        raise UsageError("a question with a history cannot be replayed: turns are counted from its beginning")
    report = defuse(done.task.report.strip())
    asked = opening(done.task, "")[-1].content
    return Part(done.task.student, report, _told(done.task, report), asked, _replies(done, tokens))


def to_json(script: Script) -> str:
    """The script as JSON text."""
    return json.dumps(asdict(script), ensure_ascii=False)


def from_json(text: str) -> Script:
    """A script from JSON text. Raises ValidationError."""
    return TypeAdapter(Script).validate_json(text)


def _told(task: Task, report: str) -> str:
    """Our rules without format and listing of tools, which frameworks have their own of, then course and report."""
    rules, rest = prompts.text("system.md").split("Format:")
    _, rest = rest.split("{tools}\n\n")
    return f"{rules}{rest}".format(about=defuse(task.about), language=task.language, report=report)


def _replies(done: Trajectory, tokens: Sequence[int]) -> tuple[Reply, ...]:
    replies = [_reply(step, count) for step, count in zip(done.steps, tokens, strict=True)]
    ends = next((at for at, reply in enumerate(replies) if not reply.calls), None)
    return (*replies, Reply("", (), "No answer.", 1)) if ends is None else tuple(replies[: ends + 1])


def _reply(step: Step, tokens: int) -> Reply:
    match step:
        case Act(thought, calls):
            made = tuple({"name": call.name, "arguments": dict(call.arguments)} for call in calls)
            return Reply(thought, made, "", tokens)
        case Answer(thought, text):
            return Reply(thought, (), text, tokens)
        case Fault(raw):
            return Reply("", (), raw, tokens)
