"""Turns of a scripted model, and the parts around it, for the tests of `app`."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.data.mini_bundle import write_mini
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.model import MakeBackend


def call(name: str, **arguments: object) -> str:
    """A turn that calls a tool."""
    body = json.dumps({"name": name, "arguments": arguments})
    return f" I look. [END_OF_REASONING]\n[TOOL_CALL]{body}[END_OF_TOOL_CALL]"


def final(text: str) -> str:
    """A turn that answers."""
    return f" Enough. [END_OF_REASONING]\n[FINAL_ANSWER]{text}[END_OF_FINAL_ANSWER]"


def scripted(*turns: str) -> MakeBackend:
    """In place of a model: these turns, then nothing."""
    return lambda settings: ScriptedBackend(turns)


def mini_courses(folder: Path) -> Path:
    """A folder of courses with only "mini" in it: three weeks, student s001 with an nr report."""
    write_mini(folder / "mini")
    return folder


def pieces(text: str, size: int = 3) -> Sequence[str]:
    """The text as a model writes it, a few characters at a time."""
    return [text[at : at + size] for at in range(0, len(text), size)]
