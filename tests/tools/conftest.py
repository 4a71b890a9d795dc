"""Calling the tools as the agent does: through a toolbox, reading the JSON that the model sees."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.course import Course, Student
from scribe.trajectory import Call, Observation
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def observe(tmp_path: Path) -> Callable[..., Observation]:
    def call(name: str, asking: Student | None = None, course: Course | None = None, **arguments: Any) -> Observation:
        who = asking or student()
        box = make_toolbox(course or course_with(who), who.id, VectorStore(ScriptedEmbedder(), tmp_path))
        return box.call(Call(name, arguments))

    return call


@pytest.fixture
def ask(observe: Callable[..., Observation]) -> Ask:
    def call(name: str, *positional: Any, **arguments: Any) -> dict[str, Any]:
        observation = observe(name, *positional, **arguments)
        assert observation.ok, observation.content
        told: dict[str, Any] = json.loads(observation.content)
        return told

    return call
