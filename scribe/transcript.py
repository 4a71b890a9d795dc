"""Steps to messages: the only place where a trajectory becomes what a model reads.

Append-only: the messages of a trajectory begin with the messages of the same trajectory one step
earlier, so a model that has read the first has read most of the second (tests hold this).
"""

import json

from scribe import prompts
from scribe.messages import (
    END_OF_ERROR_NOTICE,
    END_OF_FINAL_ANSWER,
    END_OF_REASONING,
    END_OF_TOOL_CALL,
    ERROR_NOTICE,
    FINAL_ANSWER,
    OPENER,
    TOOL_CALL,
    Message,
    defuse,
    escape_markers,
)
from scribe.outline import outline
from scribe.quotes import MARK
from scribe.trajectory import Act, Answer, Call, Fault, Step, Task, Trajectory

LONGEST_FAULT = 600
"""Characters of a faulty turn that are kept; a runaway turn must not eat the context."""


def to_messages(trajectory: Trajectory, tools: str) -> tuple[Message, ...]:
    """The messages for the next turn. tools: `Toolbox.listing`, or nothing for a model that knows them by heart."""
    told = (step for step in trajectory.steps if _is_told(step))
    return (*opening(trajectory.task, tools), *(message for step in told for message in of_step(step)))


def _is_told(step: Step) -> bool:
    """Whether the model reads of this step."""
    return not isinstance(step, Fault) or step.told


def opening(task: Task, tools: str) -> tuple[Message, ...]:
    """What stands before the first step, most shared first: rules, tools, course, report, history, question.

    A model that knows rules and tools by heart, from its training, is told neither: `tools` is empty.
    """
    before, after = prompts.text("system.md" if tools else "learned.md").split("{report}")
    public = before.format(tools=tools, about=defuse(task.about), language=task.language)
    system = Message("system", public + defuse(task.report.strip()) + after.format(), len(public))
    earlier = (
        message
        for exchange in task.history
        for message in (
            Message("user", defuse(exchange.question.strip())),
            Message("assistant", _final(defuse(exchange.answer.strip()))),
        )
    )
    return (system, *earlier, Message("user", defuse(task.question.strip())))


def of_step(step: Step) -> tuple[Message, ...]:
    """The messages that one step adds."""
    match step:
        case Act(thought, calls, observations):
            said = _reasoned(thought) + "".join(write_call(call) for call in calls)
            heard = (Message("tool", defuse(outline(observation.content))) for observation in observations)
            return (Message("assistant", said), *heard)
        case Answer(thought, text):
            return (Message("assistant", _reasoned(thought) + _final(defuse(text))),)
        case Fault(raw, complaint):
            said = raw if raw.startswith(OPENER) else f"{OPENER} {raw}"
            notice = f"{ERROR_NOTICE}{complaint}{END_OF_ERROR_NOTICE}"
            return (Message("assistant", said[:LONGEST_FAULT]), Message("user", notice))


def write_call(call: Call) -> str:
    """A call in our strict format, whatever form the model used; a marker in an argument ends nothing."""
    body = json.dumps({"name": call.name, "arguments": dict(call.arguments)}, ensure_ascii=False)
    return f"{TOOL_CALL}{escape_markers(body)}{END_OF_TOOL_CALL}"


def _reasoned(thought: str) -> str:
    """The reasoning; a quote ends with its line."""
    said = defuse(thought.strip())
    gap = "\n" if said.rpartition("\n")[2].startswith(MARK) else " "
    return f"{OPENER} {said}{gap}{END_OF_REASONING}\n"


def _final(text: str) -> str:
    return f"{FINAL_ANSWER}{text}{END_OF_FINAL_ANSWER}"
