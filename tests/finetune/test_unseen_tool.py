"""The tool that a model must never have seen in training is nowhere where training data comes from."""

import ast
from pathlib import Path

import pytest
from finetune.questions import Generator
from finetune.trajectories.classroom import Classroom

import finetune
from scribe.transcript import to_messages
from tools.build import toolbox
from tools.web_search import WebSearch

TOOL = "web_search"


def sources() -> list[Path]:
    return sorted(Path(finetune.__file__).parent.rglob("*.py"))


def test_the_classroom_neither_lists_nor_has_the_tool_which_a_campus_may_add(room: Classroom) -> None:
    taught = room.toolbox("s010")
    added = toolbox(room.course, "s010", room.vault, web=WebSearch("http://127.0.0.1:9"))
    assert set(added.by_name) - set(taught.by_name) == {TOOL}
    assert TOOL in added.listing and TOOL not in taught.listing


def test_no_conversation_of_the_teacher_names_it(room: Classroom) -> None:
    generator = Generator(room.course, room.catalogue, 3)
    told = []
    for at, question in enumerate(generator.draw(30), start=10):
        student = f"s{at:03d}"
        done = room.answer(question, student, "nr", slips=0.3)
        told += [message.content for message in to_messages(done, room.toolbox(student).listing)] if done else []
    assert len(told) > 100
    assert not [text for text in told if TOOL in text]


@pytest.mark.parametrize("path", sources(), ids=lambda path: "/".join(path.parts[-2:]))
def test_nothing_in_finetune_can_give_the_tool_to_a_toolbox(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "toolbox":
            assert len(node.args) <= 4 and not node.keywords
        if isinstance(node, ast.ImportFrom):
            assert node.module != "tools.web_search"
            assert TOOL not in {alias.name for alias in node.names}
