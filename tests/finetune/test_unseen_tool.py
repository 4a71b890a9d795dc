"""The tool that a model must never have seen in training is nowhere where training data comes from."""

import ast
from pathlib import Path

import pytest

import finetune
from finetune.classroom import list_tools
from finetune.conversations.dataset import read_dataset
from scribe.transcript import to_messages
from tests.tools.small_course import ScriptedEmbedder
from tools.assembly.assistant import Assistant
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox
from tools.web_search import WebSearch

TOOL = "web_search"


def sources() -> list[Path]:
    return sorted(Path(finetune.__file__).parent.rglob("*.py"))


def test_the_classroom_neither_lists_nor_has_the_tool_which_a_campus_may_add(room: Assistant, tmp_path: Path) -> None:
    taught = room.agent("s010").toolbox
    vault = VectorStore(ScriptedEmbedder(), tmp_path)
    added = make_toolbox(room.course, "s010", vault, web=WebSearch("http://127.0.0.1:9"))
    assert set(added.by_name) - set(taught.by_name) == {TOOL}
    assert TOOL in added.listing and TOOL not in taught.listing


def test_no_conversation_that_comes_with_scribe_names_it_nor_the_prompts_it_is_trained_with() -> None:
    listings = {name: list_tools(name) for name in ("dsp", "geo", "va")}
    kept = list(read_dataset())
    told = [message.content for each in kept for message in to_messages(each.trajectory, listings[each.task.course])]
    assert len(told) > 5 * len(kept) > 2500
    assert not [text for text in told if TOOL in text]


@pytest.mark.parametrize("path", sources(), ids=lambda path: "/".join(path.parts[-2:]))
def test_nothing_in_finetune_can_give_the_tool_to_a_toolbox(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "toolbox":
            assert len(node.args) <= 3 and not node.keywords
        if isinstance(node, ast.ImportFrom):
            assert node.module != "tools.web_search"
            assert TOOL not in {alias.name for alias in node.names}
