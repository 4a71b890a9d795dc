"""Steps and unanswered questions in a student's words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.dialogue.wording import (
    choose_phrases,
    describe_call,
    describe_result,
    describe_step,
    explain_ending,
    list_evidence,
    list_findings,
)
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Stop, Task, Trajectory
from tests.tools.small_course import ScriptedEmbedder, course_with, grades, student
from tests.tools.test_behaviour_tools import FAILING, OWN
from tests.tools.test_toolbox import CALLS
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

TASK = Task("dsp", "s001", "Why?", "A report.")


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (Call("map_week_to_topic", {"week": 8}), "Looking up week 8 in the course plan"),
        (Call("map_week_to_topic", {"week": "week 8"}), "Looking up week 8 in the course plan"),
        (Call("textbook_search", {"query": "FFT"}), "Looking in the textbook for “FFT”"),
        (Call("grade_calculator"), "Adding up your points so far"),
        (Call("sort_student_features_with_importance", {"week": 4}), "Looking at your study behaviour in week 4"),
        (Call("sort_student_features_with_importance"), "Looking at your study behaviour in all weeks"),
        (Call("sort_student_features_with_importance", {"week": None}), "Looking at your study behaviour in all weeks"),
        (Call("textbook_search"), "Using textbook search"),
        (Call("make_coffee", {"cups": 2}), "Using make coffee"),
    ],
)
def test_a_call_is_told_in_plain_words(call: Call, line: str) -> None:
    assert describe_step(Act("x", (call,), (Observation(True, "{}"),))) == (line,)


def test_what_a_model_wrote_cannot_steer_the_terminal_or_fill_it() -> None:
    shown = describe_call(Call("textbook_search", {"query": "\x1b[2J\nbad " + "x" * 200}))
    assert "\x1b" not in shown
    assert "\n" not in shown
    assert len(shown) < 100


def test_a_refused_call_and_a_fault_say_so_without_the_models_text() -> None:
    refused = Act("x", (Call("map_week_to_topic", {"week": 99}),), (Observation(False, "{}"),))
    assert describe_step(refused)[0].endswith("that did not work")
    assert "secret" not in describe_step(Fault("secret", "secret"))[0]
    assert describe_step(Fault("secret", "secret", told=False)) == ()
    assert describe_step(Answer("x", "text")) == ()


def test_what_an_answer_rests_on_is_told_line_by_line() -> None:
    rests = Answer("> week: 5\n> yours: \x1b[2J9 clicks\nFew clicks.", "Few.")
    assert describe_step(rests) == ("What this answer rests on",)
    assert list_evidence(rests) == ("week: 5", "yours:  [2J9 clicks")


def test_an_observation_is_told_without_json() -> None:
    seen = Observation(True, '{"week": 5, "rows": [{"behaviour": "sessions", "you": "2"}], "none": [], "left": 0}')
    assert describe_result(seen) == ("week: 5", "rows: behaviour sessions, you 2", "left: 0")
    assert describe_result(Observation(True, "no json")) == ("no json",)


def test_whole_sentences_of_a_tool_are_told_as_they_are_and_all_else_with_its_key() -> None:
    content = '{"week": 8, "says": "This is on Images. It is new.", "title": "Images", "also": ["Part 1."]}'
    told = ("week: 8", "This is on Images. It is new.", "title: Images", "also: Part 1.")
    assert describe_result(Observation(True, content)) == told
    cut = Observation(True, '{"says": "The DFT turns samples …"}')
    assert describe_result(cut) == ("The DFT turns samples …",)


def test_a_sentence_of_a_tool_cannot_steer_the_terminal_either() -> None:
    assert "\x1b" not in describe_result(Observation(True, '{"says": "Red \\u001b[31m text."}'))[0]


def test_findings_are_the_sentences_without_what_they_repeat() -> None:
    content = '{"week": 8, "title": "Images", "says": "It is about Images.", "start": "Start with Pixels."}'
    found = Act("x", (Call("map_week_to_topic", {"week": 8}),), (Observation(True, content),))
    assert list_findings(Trajectory(TASK, (found,), Stop.UNRESOLVED)) == [
        "Looking up week 8 in the course plan: It is about Images. Start with Pixels."
    ]


def test_an_unresolved_question_ends_with_what_was_found() -> None:
    found = Act("x", (Call("map_week_to_topic", {"week": 8}),), (Observation(True, '{"title": "Images"}'),))
    lost = Act("x", (Call("textbook_search", {"query": "cake"}),), (Observation(False, '{"error": "no"}'),))
    words = explain_ending(Trajectory(TASK, (found, lost), Stop.UNRESOLVED))
    assert "- Looking up week 8 in the course plan: title: Images" in words
    assert "cake" not in words


@pytest.mark.parametrize("stop", [Stop.UNRESOLVED, Stop.CONTEXT_FULL, Stop.CANCELLED])
def test_every_end_without_an_answer_has_its_words(stop: Stop) -> None:
    assert explain_ending(Trajectory(TASK, (), stop)).endswith(".")


def test_in_a_french_course_steps_findings_and_endings_are_french() -> None:
    asked = Task("geo", "s001", "Pourquoi ?", "A report.", language="French")
    call = Call("map_week_to_topic", {"week": 8})
    content = '{"week": 8, "title": "« Levé »", "says": "La semaine 8 porte sur « Levé ».", "also": ["Un"]}'
    found = Act("x", (call,), (Observation(True, content),))
    assert describe_step(found, "French") == ("Consultation du plan du cours pour la semaine 8",)
    told = ("semaine : 8", "titre : « Levé »", "La semaine 8 porte sur « Levé ».", "voir aussi : Un")
    assert describe_result(found.observations[0], "French") == told
    words = explain_ending(Trajectory(asked, (found,), Stop.UNRESOLVED))
    assert words.startswith("Je n'ai pas réussi")
    assert words.endswith("- Consultation du plan du cours pour la semaine 8 : La semaine 8 porte sur « Levé ».")
    refused = Act("x", (call,), (Observation(False, "{}"),))
    assert describe_step(refused, "French")[0].endswith("– cela n'a pas fonctionné")


@pytest.mark.parametrize("stop", [Stop.UNRESOLVED, Stop.CONTEXT_FULL, Stop.CANCELLED])
def test_every_end_has_its_french_words(stop: Stop) -> None:
    asked = Task("geo", "s001", "Pourquoi ?", "A report.", language="French")
    assert explain_ending(Trajectory(asked, (), stop)) != explain_ending(Trajectory(TASK, (), stop))


TITLES = (
    "behaviours",
    "graded",
    "known",
    "others",
    "points",
    "sections",
    "to_come",
    "total_influence",
    "yours_by_week",
)
"""Keys under which a tool's keys are names or numbers that it found."""
NOTHING = (
    ("textbook_search", {"query": "French revolution"}),
    ("exercise_search", {"query": "zebra"}),
    ("get_course_syllabus", {"query": "parking permits"}),
    ("sort_student_features_with_importance", {"week": 3}),
    ("get_feature_description", {"feature": "Regularity"}),
    ("impact_of_student_behaviors", {"query": "eating pizza"}),
)


def keys(told: Any) -> Iterator[str]:
    """All keys of a tool's result, its own and those of its rows."""
    match told:
        case dict():
            yield from told
            yield from (each for key, value in told.items() if key not in TITLES for each in keys(value))
        case list():
            yield from (key for row in told for key in keys(row))


def test_every_key_of_every_tool_has_a_french_word(tmp_path: Path) -> None:
    who = student(features=OWN, importances=FAILING, marks=grades(7, None, 15, 10))
    alone = student("s2", OWN, FAILING[:1], grades(5, 5, 13, 13))
    course = course_with(who, (*course_with(who).students.values(), alone))
    boxes = [make_toolbox(course, each, VectorStore(ScriptedEmbedder(), tmp_path)) for each in ("s1", "s2")]
    seen = {
        key for box in boxes for call in (*CALLS, *NOTHING) for key in keys(json.loads(box.call(Call(*call)).content))
    }
    assert len(seen) > 40
    assert seen - {"no_data"} <= set(
        choose_phrases("French").keys
    )  # what there is not is told as a sentence, without its key
