"""Tools from functions, and a toolbox that answers every call, whatever the model wrote."""

import json
from typing import Any

import pytest

from scribe.tool import COURSE_WORDS, STUDENT_WORDS, Identity, Tool, Toolbox
from scribe.trajectory import Call, Observation
from tests.scribe.scene import Tools


@pytest.fixture
def tools() -> Tools:
    return Tools()


def say(tools: Tools, name: str, /, **arguments: Any) -> tuple[Observation, dict[str, Any]]:
    observation = tools.box.call(Call(name, arguments))
    return observation, json.loads(observation.content)


def test_a_tool_is_named_described_and_typed_by_its_function(tools: Tools) -> None:
    week, search, grade = tools.box.tools
    assert (week.name, week.description) == ("map_week_to_topic", "What a week is about.")
    assert week.parameters == {
        "type": "object",
        "properties": {"week": {"type": "integer", "minimum": 1, "maximum": 3}},
        "required": ["week"],
        "additionalProperties": False,
    }
    assert search.parameters["properties"] == {"query": {"type": "string"}, "week": {"type": "integer"}}
    assert search.parameters["required"] == ["query"]
    assert grade.parameters["properties"] == {}


def test_the_listing_shows_each_tool_on_one_line(tools: Tools) -> None:
    assert tools.box.listing.splitlines() == [
        "- map_week_to_topic(week: integer 1-3): What a week is about.",
        "- exercise_search(query: string, week?: integer): Exercises on a subject.",
        "- grade_calculator(): The grade so far.",
    ]
    assert list(tools.box.schemas) == ["map_week_to_topic", "exercise_search", "grade_calculator"]


def test_what_a_tool_returns_is_json_that_stays_readable(tools: Tools) -> None:
    observation, told = say(tools, "exercise_search", query="énergie")
    assert observation.ok and observation.coerced == ()
    assert "É: énergie" in observation.content
    assert told["exercises"][0]["id"] == "x-1"


@pytest.mark.parametrize("close", ["map_week", "MapWeekToTopic", "map-week-to-topic"])
def test_an_unknown_tool_is_told_the_closest_and_all_names(tools: Tools, close: str) -> None:
    observation, told = say(tools, close, week=1)
    assert not observation.ok
    assert told["error"] == f"There is no tool {close}. Did you mean map_week_to_topic?"
    assert told["tools"] == ["exercise_search", "grade_calculator", "map_week_to_topic"]


def test_a_name_close_to_nothing_gets_no_suggestion(tools: Tools) -> None:
    assert "Did you mean" not in tools.box.call(Call("xyz")).content
    assert not tools.box.call(Call("")).ok


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({}, "week"), ({"week": "soon"}, "week"), ({"week": 2, "colour": 1}, "colour"), ({"week": [2]}, "week")],
)
def test_bad_arguments_are_named_with_the_usage(tools: Tools, arguments: dict[str, Any], named: str) -> None:
    observation, told = say(tools, "map_week_to_topic", **arguments)
    assert not observation.ok
    assert told["error"].startswith("Bad arguments for map_week_to_topic: ") and f"{named}: " in told["error"]
    assert told["usage"] == "map_week_to_topic(week: integer 1-3): What a week is about."
    assert tools.ran == []


def test_a_refusal_carries_what_would_be_valid(tools: Tools) -> None:
    observation, told = say(tools, "map_week_to_topic", week=9)
    assert not observation.ok
    assert told == {"error": "There is no week 9.", "weeks": "1 to 3"}


def test_a_repair_is_counted_and_the_tool_gets_the_repaired_value(tools: Tools) -> None:
    observation, _ = say(tools, "map_week_to_topic", week="week 2")
    assert observation.ok and observation.coerced == ("week: 'week 2' to 2",)
    assert tools.ran == [("map_week_to_topic", 2)]


def test_an_optional_argument_may_be_null(tools: Tools) -> None:
    assert say(tools, "exercise_search", query="DFT", week=None)[0].ok
    assert tools.ran == [("exercise_search", "DFT", None)]


@pytest.mark.parametrize("word", STUDENT_WORDS)
@pytest.mark.parametrize("other", ["s002", "Anna", 2, ["s002"]])
def test_another_student_is_refused_under_any_word_for_it(tools: Tools, word: str, other: object) -> None:
    observation, told = say(tools, "map_week_to_topic", week=2, **{word: other})
    assert not observation.ok and "Only the data of the student who is asking" in told["error"]
    assert tools.ran == []


@pytest.mark.parametrize(
    ("word", "own"), [("student_id", "s001"), ("student", "S001"), ("user", "me"), ("name", " s001 ")]
)
def test_the_own_name_is_dropped_and_counted(tools: Tools, word: str, own: str) -> None:
    observation, told = say(tools, "map_week_to_topic", week=2, **{word: own})
    assert observation.coerced == (f"{word} dropped",)
    assert told["title"] == "Vectors"


@pytest.mark.parametrize("word", COURSE_WORDS)
def test_a_course_may_be_named_by_an_alias_but_not_another_one(tools: Tools, word: str) -> None:
    own, _ = say(tools, "map_week_to_topic", week=2, **{word: "signal processing"})
    assert own.ok and own.coerced == (f"{word} dropped",)
    other, told = say(tools, "map_week_to_topic", week=2, **{word: "Geometry"})
    assert not other.ok and "Only the course dsp" in told["error"]


def test_a_tool_that_is_broken_is_not_the_models_mistake() -> None:
    def broken() -> dict[str, Any]:
        """Never works."""
        raise KeyError("a row that should be there")

    with pytest.raises(KeyError):
        Toolbox((Tool.of(broken),), Identity("s001", "dsp")).call(Call("broken"))
