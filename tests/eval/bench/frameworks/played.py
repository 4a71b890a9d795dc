"""A script of two questions, made by hand, and a plain client that answers it as a framework would."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from eval.bench.frameworks.loopback import Answer, Loopback
from eval.bench.frameworks.script import Script, part
from scribe.trajectory import Act, Call, Fault, Observation, Step, Stop, Task, Trajectory
from scribe.trajectory import Answer as Answered

WEEK = {
    "name": "map_week_to_topic",
    "description": "Topics of a week.",
    "parameters": {"type": "object", "properties": {"week": {"type": "integer"}}, "required": ["week"]},
}
ACT = Act("Topics of the week.", (Call("map_week_to_topic", {"week": 2}),), (Observation(True, "{}"),))


def done(question: str, steps: Sequence[Step], student: str = "s010") -> Trajectory:
    """An ended trajectory; the report is short and names the student."""
    task = Task("dsp", student, question, f"The report of {student}: all is well.", "DSP has 10 weeks.")
    return Trajectory(task, tuple(steps), Stop.ANSWERED)


def script() -> Script:
    """A call and an answer; an answer that our checks refused and one that they took."""
    called = done("What was week 2 about?", (ACT, Answered("It says so.", "Week 2 was about signals.")))
    twice = done("Am I well?", (Fault("Yes, very.", "unsupported"), Answered("So.", "You are well.")), "s020")
    return Script("dsp", (WEEK,), (part(called, (9, 6)), part(twice, (4, 5))))


def plain(server: Loopback, tools: Sequence[Mapping[str, Any]]) -> Answer:
    """The loop that every framework has, without the framework."""
    offered = [{"type": "function", "function": dict(tool)} for tool in tools]

    def answer(part: Mapping[str, Any]) -> str:
        messages = [{"role": "system", "content": part["told"]}, {"role": "user", "content": part["asked"]}]
        while True:
            said = server.post("/v1/chat/completions", {"messages": messages, "tools": offered})
            turn = said["choices"][0]["message"]
            messages.append(turn)
            for call in turn.get("tool_calls", []):
                function = call["function"]
                heard = server.call(part["student"], function["name"], json.loads(function["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": heard})
            if "tool_calls" not in turn:
                return str(turn["content"])

    return answer
