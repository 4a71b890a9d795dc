"""The toolbox as a whole: what the prompt shows, whose data it holds, how long its answers get."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from data.course import UnknownStudent
from scribe.tool import Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tests.tools.test_behaviour_tools import FAILING, OWN
from tools import toolbox
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("map_week_to_topic", {"week": 4}),
    ("get_dependant_topics", {"week": 4}),
    ("get_course_syllabus", {"query": "late homework"}),
    ("textbook_search", {"query": "DFT"}),
    ("exercise_search", {"query": "DFT", "week": 3}),
    ("grade_calculator", {}),
    ("sort_student_features_with_importance", {"week": 2}),
    ("get_feature_description", {"feature": "DelayLecture"}),
    ("impact_of_student_behaviors", {"query": "start early on new videos"}),
)


@pytest.fixture
def box(tmp_path: Path) -> Toolbox:
    course = course_with(student(features=OWN, importances=FAILING))
    return make_toolbox(course, "s1", VectorStore(ScriptedEmbedder(), tmp_path))


def test_the_names_and_arguments_are_those_models_are_trained_on(box: Toolbox) -> None:
    assert {tool.name: list(tool.parameters["properties"]) for tool in box.tools} == {
        "map_week_to_topic": ["week"],
        "get_dependant_topics": ["week"],
        "get_course_syllabus": ["query"],
        "textbook_search": ["query"],
        "exercise_search": ["query", "week"],
        "grade_calculator": [],
        "sort_student_features_with_importance": ["week"],
        "get_feature_description": ["feature"],
        "impact_of_student_behaviors": ["query"],
    }
    assert box.schemas["exercise_search"]["required"] == ["query"]


def test_every_file_that_makes_a_tool_of_a_view_is_listed() -> None:
    paths = Path(toolbox.__file__).parent.glob("*.py")
    there = {path.stem for path in paths if "\ndef make(view: StudentView)" in path.read_text(encoding="utf-8")}
    assert there == {one.__name__.removeprefix("tools.") for one in toolbox._TOOLS}


def test_weeks_carry_their_range_into_schema_and_prompt(box: Toolbox) -> None:
    for tool in ("map_week_to_topic", "exercise_search", "sort_student_features_with_importance"):
        rule = box.schemas[tool]["properties"]["week"]
        assert (rule["type"], rule["minimum"], rule["maximum"]) == ("integer", 1, 4)
    assert "week: integer 1-4" in box.listing


def test_each_tool_is_described_in_one_short_sentence(box: Toolbox) -> None:
    for tool in box.tools:
        assert 8 <= len(tool.description.split()) <= 22, tool.description
        assert tool.description.count(".") == 1


def test_every_tool_answers_and_briefly(box: Toolbox) -> None:
    assert {name for name, _ in CALLS} == set(box.by_name)
    for name, arguments in CALLS:
        observation = box.call(Call(name, arguments))
        assert observation.ok, observation.content
        assert "no_data" not in observation.content, name
        assert len(observation.content.split()) <= 130, name


def test_answers_are_small_objects_of_plain_values_lists_and_rows(box: Toolbox) -> None:
    for name, arguments in CALLS:
        told = json.loads(box.call(Call(name, arguments)).content)
        assert 1 <= len(told) <= 10, name
        for value in told.values():
            rows = value if isinstance(value, list) else [value]
            inner = [part for row in rows for part in (row.values() if isinstance(row, dict) else [row])]
            assert not any(isinstance(part, list | dict) for part in inner), name


def test_tools_give_data_and_leave_advice_to_the_model(box: Toolbox) -> None:
    advice = re.compile(
        r"\b(?:should|could|try|recommend|advice|suggest|start with|so first|well done)\b", re.IGNORECASE
    )
    for name, arguments in CALLS:
        assert not advice.search(box.call(Call(name, arguments)).content), name


def test_what_is_said_does_not_depend_on_the_question_or_on_what_was_called_before(box: Toolbox) -> None:
    alone = [box.call(Call(name, arguments)) for name, arguments in CALLS]
    assert [box.call(Call(name, arguments), "English") for name, arguments in reversed(CALLS)] == alone[::-1]


def test_the_same_call_gives_the_same_text(box: Toolbox) -> None:
    for name, arguments in CALLS:
        assert box.call(Call(name, arguments)) == box.call(Call(name, arguments))


def test_another_students_name_is_refused(box: Toolbox) -> None:
    observation = box.call(Call("grade_calculator", {"student": "c1"}))
    assert not observation.ok


def test_a_stranger_gets_no_toolbox(tmp_path: Path) -> None:
    with pytest.raises(UnknownStudent, match="s9"):
        make_toolbox(course_with(student()), "s9", VectorStore(ScriptedEmbedder(), tmp_path))


def test_a_toolbox_is_made_fast_and_without_embedding_anything(tmp_path: Path) -> None:
    embedder = ScriptedEmbedder()
    vault, course = VectorStore(embedder, tmp_path), course_with(student())
    make_toolbox(course, "s1", vault)
    begin = time.process_time()  # not the clock on the wall, which runs on while others compute
    make_toolbox(course, "s1", vault)
    assert time.process_time() - begin < 0.05
    assert embedder.texts == 0
