"""The toolbox as a whole: what the prompt shows, whose data it holds, how long its answers get."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from data.course import UnknownStudent
from scribe.tool import Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tests.tools.test_behaviour_tools import FAILING, OWN
from tools.build import toolbox
from tools.search.vault import Vault

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("map_week_to_topic", {"week": 4}),
    ("get_dependant_topics", {"week": 4}),
    ("get_course_syllabus", {"query": "late homework"}),
    ("textbook_search", {"query": "DFT"}),
    ("exercise_search", {"query": "DFT", "week": 3}),
    ("grade_calculator", {}),
    ("sort_student_features_with_importance", {"week": 2}),
    ("get_feature_description", {"feature": "DelayLecture"}),
    ("impact_of_student_behaviors", {"query": "start early"}),
)


@pytest.fixture
def box(tmp_path: Path) -> Toolbox:
    course = course_with(student(features=OWN, importances=FAILING))
    return toolbox(course, "s1", Vault(ScriptedEmbedder(), tmp_path))


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


def test_weeks_carry_their_range_into_schema_and_prompt(box: Toolbox) -> None:
    for tool in ("map_week_to_topic", "exercise_search", "sort_student_features_with_importance"):
        rule = box.schemas[tool]["properties"]["week"]
        assert (rule["type"], rule["minimum"], rule["maximum"]) == ("integer", 1, 4)
    assert "week: integer 1-4" in box.listing


def test_each_tool_is_described_in_one_short_sentence(box: Toolbox) -> None:
    for tool in box.tools:
        assert 8 <= len(tool.description.split()) <= 18, tool.description
        assert tool.description.count(".") == 1


def test_every_tool_answers_and_briefly(box: Toolbox) -> None:
    assert {name for name, _ in CALLS} == set(box.by_name)
    for name, arguments in CALLS:
        observation = box.call(Call(name, arguments))
        assert observation.ok, observation.content
        assert len(observation.content.split()) <= 110, name


def test_answers_are_one_list_deep_at_most(box: Toolbox) -> None:
    for name, arguments in CALLS:
        for value in json.loads(box.call(Call(name, arguments)).content).values():
            inner = [part for each in value for part in each.values()] if _objects(value) else []
            assert not any(isinstance(part, list | dict) for part in inner), name


def test_the_first_thing_said_is_whole_sentences_that_can_be_quoted(box: Toolbox) -> None:
    for name, arguments in CALLS:
        told = json.loads(box.call(Call(name, arguments)).content)
        said = told.get("says") or told.get("so_far") or told.get("went_wrong") or told["no_data"]
        assert said[0].isupper() and said.endswith("."), name
        assert len(said.split()) > 3, name


def _objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def test_the_same_call_gives_the_same_text(box: Toolbox) -> None:
    for name, arguments in CALLS:
        assert box.call(Call(name, arguments)) == box.call(Call(name, arguments))


def test_another_students_name_is_refused(box: Toolbox) -> None:
    observation = box.call(Call("grade_calculator", {"student": "c1"}))
    assert not observation.ok


def test_a_stranger_gets_no_toolbox(tmp_path: Path) -> None:
    with pytest.raises(UnknownStudent, match="s9"):
        toolbox(course_with(student()), "s9", Vault(ScriptedEmbedder(), tmp_path))


def test_a_toolbox_is_made_fast_and_without_embedding_anything(tmp_path: Path) -> None:
    embedder = ScriptedEmbedder()
    vault, course = Vault(embedder, tmp_path), course_with(student())
    toolbox(course, "s1", vault)
    begin = time.process_time()  # not the clock on the wall, which runs on while others compute
    toolbox(course, "s1", vault)
    assert time.process_time() - begin < 0.05
    assert embedder.texts == 0
