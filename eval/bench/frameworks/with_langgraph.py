"""LangGraph over the bench's server, run by the frameworks' own Python.

`langchain.agents.create_agent` is what LangGraph's `create_react_agent` became. One graph per student, made when the
student first asks, and one `ChatOpenAI` for all, at its own settings.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain.agents import create_agent  # type: ignore[import-not-found]
from langchain_core.tools import StructuredTool  # type: ignore[import-not-found]
from langchain_openai import ChatOpenAI  # type: ignore[import-not-found]

from eval.bench.frameworks.loopback import Answer, Loopback, run

Tools = Sequence[Mapping[str, Any]]


def framework(server: Loopback, tools: Tools) -> Answer:
    """What answers one part of the script."""
    model = ChatOpenAI(model="replayed", base_url=server.models, api_key="none")
    graphs: dict[tuple[str, str], Any] = {}

    def answer(part: Mapping[str, Any]) -> str:
        whose = part["student"], part["told"]
        if whose not in graphs:
            own = [_tool(server, part["student"], tool) for tool in tools]
            graphs[whose] = create_agent(model, own, system_prompt=part["told"])
        done = graphs[whose].invoke({"messages": [{"role": "user", "content": part["asked"]}]})
        return str(done["messages"][-1].content)

    return answer


def _tool(server: Loopback, student: str, tool: Mapping[str, Any]) -> Any:
    return StructuredTool.from_function(
        _calling(server, student, tool["name"]), None, tool["name"], tool["description"], args_schema=tool["parameters"]
    )


def _calling(server: Loopback, student: str, name: str) -> Callable[..., str]:
    def call(**arguments: Any) -> str:
        return server.call(student, name, arguments)

    return call


if __name__ == "__main__":
    run(framework, ("langchain", "langgraph", "langchain-openai", "openai"))
