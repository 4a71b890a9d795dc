"""Calling a tool as the agent does: with the student's question beside the arguments that the model wrote."""

import json
from pathlib import Path
from typing import Any

from scribe.tool import Identity, Tool, Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder
from tools.search.vault import Vault


def told(tool: Tool, asked: str, **arguments: Any) -> dict[str, Any]:
    """What the tool says to a call that was made for this question."""
    box = Toolbox((tool,), Identity("s1", "sig"))
    observation = box.call(Call(tool.name, arguments), asked)
    assert observation.ok, observation.content
    said: dict[str, Any] = json.loads(observation.content)
    return said


def vault(folder: Path) -> Vault:
    """A vault whose embedder compares words."""
    return Vault(ScriptedEmbedder(), folder)


def told_first(tool: Tool, key: str, asked: str, **arguments: Any) -> str:
    """What the tool says at the head of a sentence because of the question; empty if it says no more than without."""
    with_it, alone = (str(told(tool, each, **arguments)[key]) for each in (asked, ""))
    assert with_it.endswith(alone)
    return with_it.removesuffix(alone).strip()
