"""smolagents over the bench's server, run by the frameworks' own Python.

One `ToolCallingAgent` per student, made when the student first asks, with our rules and the report as `instructions`,
and one `OpenAIModel` for all. Its own settings, but nothing is logged, which by default fills the terminal.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from smolagents import LogLevel, OpenAIModel, Tool, ToolCallingAgent  # type: ignore[import-not-found]

from eval.bench.frameworks.loopback import Answer, Loopback, run

Tools = Sequence[Mapping[str, Any]]


class Called(Tool):  # type: ignore[misc]  # smolagents is not installed where types are checked
    """One of our tools; smolagents reads name and arguments from attributes."""

    output_type = "string"
    skip_forward_signature_validation = True
    name = description = ""
    inputs: dict[str, dict[str, Any]] = {}  # noqa: RUF012  # as smolagents declares it

    def __init__(self, server: Loopback, student: str, tool: Mapping[str, Any]) -> None:
        self.name, self.description = tool["name"], tool["description"]
        required = tool["parameters"]["required"]
        self.inputs = {
            name: {"description": "", **rule, **({} if name in required else {"nullable": True})}
            for name, rule in tool["parameters"]["properties"].items()
        }
        self._server, self._student = server, student
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        """What the tool says."""
        return self._server.call(self._student, self.name, arguments)


def framework(server: Loopback, tools: Tools) -> Answer:
    """What answers one part of the script."""
    model = OpenAIModel("replayed", server.models, "none")
    agents: dict[tuple[str, str], Any] = {}

    def answer(part: Mapping[str, Any]) -> str:
        whose = part["student"], part["told"]
        if whose not in agents:
            own = [Called(server, part["student"], tool) for tool in tools]
            agents[whose] = ToolCallingAgent(own, model, instructions=part["told"], verbosity_level=LogLevel.OFF)
        return str(agents[whose].run(part["asked"]))

    return answer


if __name__ == "__main__":
    run(framework, ("smolagents", "openai"))
