"""A small scene for tests of the core: one student, three tools that remember their calls, and turns."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from scribe.agent import Agent, Limits
from scribe.backend import Finish
from scribe.streaming import Check
from scribe.tool import Identity, Refusal, Tool, Toolbox
from scribe.trajectory import Exchange, Task, Trajectory
from tests.scribe.scripted import ScriptedBackend, trusting

TITLES = {1: "Signals", 2: "Vectors", 3: "Fourier analysis"}
REPORT = "In week 2 you watched 12 videos, the class 20."


class Tools:
    """The tools, and what they were called with."""

    def __init__(self) -> None:
        self.ran: list[tuple[Any, ...]] = []
        functions = (self.map_week_to_topic, self.exercise_search, self.grade_calculator)
        identity = Identity("s001", "dsp", ("Digital Signal Processing", "Signal Processing"))
        self.box = Toolbox(tuple(Tool.of(function) for function in functions), identity)

    def map_week_to_topic(
        self, week: Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": 3})]
    ) -> dict[str, Any]:
        """What a week
        is about."""
        self.ran.append(("map_week_to_topic", week))
        if week not in TITLES:
            raise Refusal(f"There is no week {week}.", weeks="1 to 3")
        return {"week": week, "title": TITLES[week]}

    def exercise_search(self, query: str, week: int | None = None) -> dict[str, Any]:
        """Exercises on a subject."""
        self.ran.append(("exercise_search", query, week))
        return {"exercises": [{"id": "x-1", "title": f"É: {query}"}]}

    def grade_calculator(self) -> dict[str, Any]:
        """The grade so far."""
        self.ran.append(("grade_calculator",))
        return {"so_far": "41 of 60"}


def task(question: str = "What is week 3 about?", report: str = REPORT, **more: Any) -> Task:
    about = "Digital Signal Processing has weeks 1 to 3."
    return Task(**{"course": "dsp", "student": "s001", "about": about, **more}, question=question, report=report)


def trajectory(question: str = "What is week 3 about?", *history: Exchange) -> Trajectory:
    return Trajectory(task(question, history=history))


def call(name: str, thought: str = "I look it up.", /, **arguments: Any) -> str:
    """A turn that calls a tool, as a model continues after the opener."""
    body = json.dumps({"name": name, "arguments": arguments})
    return f" {thought} [END_OF_REASONING]\n[TOOL_CALL]{body}[END_OF_TOOL_CALL]"


def answer(text: str, thought: str = "I know it.") -> str:
    """A turn that answers."""
    return f" {thought} [END_OF_REASONING]\n[FINAL_ANSWER]{text}[END_OF_FINAL_ANSWER]"


class Scene:
    """An agent whose model plays back turns."""

    def __init__(
        self,
        turns: Sequence[str],
        check: Check = trusting,
        limits: Limits = Limits(),
        finish: Finish = "stop",
    ) -> None:
        self.tools = Tools()
        self.backend = ScriptedBackend(turns, finish=finish)
        self.agent = Agent(self.backend, self.tools.box, check, limits=limits)
