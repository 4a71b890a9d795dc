"""What the tools say about the course itself: weeks, prerequisites, syllabus, textbook, exercises."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from data.course import Prerequisite, Week
from scribe.trajectory import Observation
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, student


def test_a_week_has_a_title_topics_and_quizzes(ask: Ask) -> None:
    told = ask("map_week_to_topic", week=3)
    assert list(told.items()) == [
        ("week", 3),
        ("title", "Transforms"),
        ("says", "Week 3 is about Transforms. Its topics are DFT and DFS, and it has 3 quizzes."),
        ("start", "A good start is DFT."),
    ]
    assert ask("map_week_to_topic", week=4)["says"].endswith(", and it has no quizzes.")


@pytest.mark.parametrize(
    "tool", ["map_week_to_topic", "get_dependant_topics", "sort_student_features_with_importance"]
)
@pytest.mark.parametrize("week", [0, -1, 5, 15])
def test_a_week_that_does_not_exist_is_refused_with_the_weeks_there_are(
    observe: Callable[..., Observation], tool: str, week: int
) -> None:
    observation = observe(tool, week=week)
    assert not observation.ok
    assert json.loads(observation.content) == {
        "error": f"There is no week {week}. The course has weeks 1 to 4."
    }


def test_needed_topics_come_from_earlier_weeks_earliest_first(ask: Ask) -> None:
    told = ask("get_dependant_topics", week=3)
    assert told == {
        "week": 3,
        "first": "Complex exponentials",
        # and not DFT for DFS, which is of the same week
        "says": "Before week 3 you should know Complex exponentials (week 1) and Inner products (week 2).",
        "why": "Complex exponentials is needed for DFT, because they form the basis.",
        "review": "So review Complex exponentials in week 1 first.",
    }


def test_every_need_is_named_once_with_its_week(ask: Ask) -> None:
    told = ask("get_dependant_topics", week=4)
    assert told["says"] == (
        "Before week 4 you should know Sequences (week 1), Complex exponentials (week 1), "
        "Inner products (week 2), DFT (week 3) and DFS (week 3)."
    )


def test_that_the_first_week_needs_nothing_is_an_answer(ask: Ask) -> None:
    assert ask("get_dependant_topics", week=1) == {
        "week": 1,
        "says": "Week 1, Signals, needs nothing from earlier weeks. You can start with it right away.",
    }


def test_the_syllabus_says_its_first_sentence_and_the_one_that_was_asked_for(ask: Ask) -> None:
    told = ask("get_course_syllabus", query="late homework when I am ill before the deadline")
    assert told["where"] == "You find this in the syllabus under Late policy."
    assert told["says"] == (
        "The rules of the course say: Late homework loses 10 percent per day. "
        "If you are ill, write to the team before the deadline."
    )
    assert len(told["also"]) == 2


def test_what_the_syllabus_does_not_treat_is_said_with_what_it_does(ask: Ask) -> None:
    told = ask("get_course_syllabus", query="parking permits")
    assert list(told) == ["no_data", "try"]
    assert "Retakes" in told["try"]


@pytest.mark.parametrize(("query", "section"), [("DFS", "3.2 DFS"), ("explain dft please", "3.1 DFT")])
def test_a_topic_named_in_the_query_beats_its_neighbours(ask: Ask, query: str, section: str) -> None:
    told = ask("textbook_search", query=query)
    assert told["week"] == 3
    assert told["where"] == f"It is taught in week 3, in section {section} of the textbook."


def test_the_textbook_says_one_whole_sentence_without_marks(ask: Ask) -> None:
    says = "The textbook says: "
    assert ask("textbook_search", query="DFS")["says"] == f"{says}The DFS describes a periodic sequence, e.g. a tone."
    assert ask("textbook_search", query="DFT")["says"] == f"{says}The DFT turns N samples into N coefficients."


def test_a_misspelt_topic_is_found(ask: Ask) -> None:
    assert "section 4.1 Convolution " in ask("textbook_search", query="convolutoin")["where"]


def test_a_subject_outside_the_textbook_gives_no_section_but_close_ones(ask: Ask) -> None:
    told = ask("textbook_search", query="French revolution")
    assert told["no_data"] == "The textbook has no section on French revolution."
    assert told["try"].startswith("Closest sections: ")


@pytest.mark.parametrize("tool", ["textbook_search", "get_course_syllabus", "exercise_search"])
def test_an_empty_query_is_refused(observe: Callable[..., Observation], tool: str) -> None:
    observation = observe(tool, query=" ?! ")
    assert not observation.ok
    assert "The query is empty" in observation.content


def test_exercises_on_a_topic_come_without_their_solutions(observe: Callable[..., Observation]) -> None:
    observation = observe("exercise_search", query="exercises on DFS")
    told = json.loads(observation.content)
    assert set(re.findall(r"x-\d\d-\d\d", told["says"])[:2]) == {"x-03-03", "x-03-04"}  # those on DFS
    assert told["start"] in ("Start with x-03-03.", "Start with x-03-04.")
    assert "SECRET" not in observation.content


@pytest.mark.parametrize(
    "arguments", [{"query": "week 3", "week": 3}, {"query": "give me problems for wk 3"}]
)
def test_exercises_of_a_week_keep_their_order_and_stop_at_three(ask: Ask, arguments: dict[str, str]) -> None:
    told = ask("exercise_search", **arguments)
    assert told["says"] == (
        "These exercises fit: Transform four samples (x-03-01), Transform a tone (x-03-02) "
        "and Coefficients of a square wave (x-03-03)."
    )
    assert told["start"] == "Start with x-03-01."


def test_a_topic_of_another_week_is_not_passed_off_as_this_weeks(ask: Ask) -> None:
    told = ask("exercise_search", query="convolution", week=3)
    assert told == {
        "no_data": "Week 3 has no exercise on Convolution.",
        "try": "Convolution is practised in week 4.",
    }


def test_a_week_without_exercises_says_so(ask: Ask) -> None:
    assert ask("exercise_search", query="anything", week=2)["no_data"] == "There are no exercises for week 2."


def test_a_week_in_the_query_is_held_to_the_range(observe: Callable[..., Observation]) -> None:
    assert "weeks 1 to 4" in observe("exercise_search", query="exercises for week 12").content


def test_a_course_without_material_answers_no_data(ask: Ask) -> None:
    who = student()
    empty = replace(course_with(who), syllabus=(), textbook=(), exercises=())
    for tool in ("get_course_syllabus", "textbook_search", "exercise_search"):
        assert "no_data" in ask(tool, who, empty, query="DFT")


def test_a_course_in_a_language_that_tools_do_not_speak_names_its_topics_in_english_too(ask: Ask) -> None:
    french = (
        Week(1, "Géodésie", ("Géoïde", "Unités"), 1, "Geodesy", ("Geoid", "Units")),
        Week(2, "Orientation", ("Orientation",), 0, "Orientation", ("Orientation",)),
    )
    why = Prerequisite("Orientation", "Géoïde", "tout en dépend", "all depends on it")
    course = replace(course_with(student()), plan=french, prerequisites=(why,), weeks=2, language="de")
    assert ask("map_week_to_topic", student(), course, week=1)["says"] == (
        "Week 1 is about Géodésie (Geodesy). Its topics are Géoïde (Geoid) and Unités (Units), and it has 1 quiz."
    )
    needs = ask("get_dependant_topics", student(), course, week=2)
    assert needs["says"] == "Before week 2 you should know Géoïde (Geoid, week 1)."
    assert needs["why"] == "Géoïde (Geoid) is needed for Orientation, because all depends on it."
