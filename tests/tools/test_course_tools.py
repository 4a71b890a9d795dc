"""What the tools say about the course itself: weeks, prerequisites, syllabus, textbook, exercises."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from data.course import Exercise, Section
from scribe.trajectory import Observation
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, student


def test_a_week_has_a_title_topics_quizzes_and_graded_work(ask: Ask) -> None:
    assert ask("map_week_to_topic", week=1) == {
        "week": 1,
        "title": "Signals",
        "topics": ["Sequences", "Complex exponentials"],
        "quizzes": 2,
        "graded": {"Quizzes of week 1": "10 percent", "Homework of week 1": "20 percent"},
    }
    assert "graded" not in ask("map_week_to_topic", week=4)


@pytest.mark.parametrize("tool", ["map_week_to_topic", "get_dependant_topics", "sort_student_features_with_importance"])
@pytest.mark.parametrize("week", [0, -1, 5, 15])
def test_a_week_that_does_not_exist_is_refused_with_the_weeks_there_are(
    observe: Callable[..., Observation], tool: str, week: int
) -> None:
    observation = observe(tool, week=week)
    assert not observation.ok
    assert json.loads(observation.content) == {"error": f"There is no week {week}.", "weeks": "1 to 4"}


def test_needed_topics_come_from_earlier_weeks_earliest_first(ask: Ask) -> None:
    assert ask("get_dependant_topics", week=3) == {
        "week": 3,
        "needs": [
            {"topic": "Complex exponentials", "week": 1, "for": "DFT", "because": "they form the basis"},
            {"topic": "Inner products", "week": 2, "for": "DFT", "because": "a coefficient is an inner product"},
            # and not DFT for DFS, which is of the same week
        ],
    }


def test_every_need_is_named_once_with_its_week(ask: Ask) -> None:
    needs = ask("get_dependant_topics", week=4)["needs"]
    assert [(need["topic"], need["week"]) for need in needs] == [
        ("Sequences", 1),
        ("Complex exponentials", 1),
        ("Inner products", 2),
        ("DFT", 3),
        ("DFS", 3),
    ]


def test_that_the_first_week_needs_nothing_is_an_answer(ask: Ask) -> None:
    assert ask("get_dependant_topics", week=1) == {"no_data": "Week 1 builds on no earlier week."}


def test_the_syllabus_gives_the_section_as_it_stands_without_marks_and_names_others(ask: Ask) -> None:
    assert ask("get_course_syllabus", query="late homework when I am ill before the deadline") == {
        "sections": {
            "Late policy": "Late homework loses 10 percent per day. After three days it counts as 0. "
            "If you are ill, write to the team before the deadline."
        },
        "also": ["Final exam", "Retakes"],
    }


def test_what_the_syllabus_does_not_treat_is_said_with_what_it_does(ask: Ask) -> None:
    told = ask("get_course_syllabus", query="parking permits")
    assert list(told) == ["no_data", "closest_sections"]
    assert set(told["closest_sections"]) == {"Late policy", "Final exam", "Retakes"}


@pytest.mark.parametrize(("query", "section"), [("DFS", "3.2 DFS"), ("explain dft please", "3.1 DFT")])
def test_a_topic_named_in_the_query_beats_its_neighbours(ask: Ask, query: str, section: str) -> None:
    told = ask("textbook_search", query=query)
    assert (told["section"], told["week"]) == (section, 3)
    assert section not in told["also"] and len(told["also"]) == 2


def test_the_textbook_gives_sentences_without_marks_lists_and_code(ask: Ask) -> None:
    assert ask("textbook_search", query="DFS")["passage"] == "The DFS describes a periodic sequence, e.g. a tone."
    assert ask("textbook_search", query="sequences")["passage"] == "A sequence is a function of whole numbers. More."


def test_a_long_passage_is_cut_and_says_so(ask: Ask) -> None:
    who = student()
    book = (Section("1.1", "Tones", 1, "A **tone** goes on, " + "and on, " * 80 + "and ends."),)
    told = ask("textbook_search", who, replace(course_with(who), textbook=book), query="tones")
    assert told["passage"].startswith("A tone goes on, and on,") and told["passage"].endswith("on …")
    assert len(told["passage"].split()) == 71


def test_a_misspelt_topic_is_found(ask: Ask) -> None:
    assert ask("textbook_search", query="convolutoin")["section"] == "4.1 Convolution"


def test_a_subject_outside_the_textbook_gives_no_section_but_close_ones(ask: Ask) -> None:
    told = ask("textbook_search", query="French revolution")
    assert list(told) == ["no_data", "closest_sections"] and len(told["closest_sections"]) == 3


@pytest.mark.parametrize("tool", ["textbook_search", "get_course_syllabus", "exercise_search"])
def test_an_empty_query_is_refused(observe: Callable[..., Observation], tool: str) -> None:
    observation = observe(tool, query=" ?! ")
    assert not observation.ok
    assert "The argument query is empty" in observation.content


@pytest.mark.parametrize("query", ["é" * 10_000, "\0?a", "\ud800 quiz", "🦆 homework"])
def test_no_query_breaks_a_search(ask: Ask, query: str) -> None:
    for tool in ("textbook_search", "get_course_syllabus", "exercise_search"):
        assert ask(tool, query=query)


def test_exercises_on_a_topic_come_without_their_solutions(observe: Callable[..., Observation]) -> None:
    observation = observe("exercise_search", query="exercises on DFS")
    told = json.loads(observation.content)
    assert {one["id"] for one in told["exercises"]} == {"x-03-03", "x-03-04"} and told["more"] == 0
    assert {"week": 3, "topic": "DFS"}.items() <= told["exercises"][0].items()
    assert "SECRET" not in observation.content


def test_of_a_week_without_a_subject_three_exercises_are_shown_in_their_order_and_the_rest_counted(ask: Ask) -> None:
    told = ask("exercise_search", query="week 3", week=3)
    assert [one["id"] for one in told["exercises"]] == ["x-03-01", "x-03-02", "x-03-03"]
    assert told["more"] == 1


def test_exercises_of_a_week_are_never_of_another_and_say_their_own_topic(ask: Ask) -> None:
    told = ask("exercise_search", query="convolution", week=3)
    assert {one["week"] for one in told["exercises"]} == {3}
    assert {one["topic"] for one in told["exercises"]} == {"DFT", "DFS"}


def test_a_long_exercise_is_cut_and_keeps_no_marks(ask: Ask) -> None:
    who = student()
    long = (Exercise("x-1", 1, "Tones", "A tone", "Compute **all** " + "of it " * 30, "SECRET"),)
    (one,) = ask("exercise_search", who, replace(course_with(who), exercises=long), query="tones")["exercises"]
    assert one["text"].startswith("Compute all of it") and one["text"].endswith(" …")
    assert len(one["text"].split()) == 23


@pytest.mark.parametrize("arguments", [{"query": "anything", "week": 2}, {"query": "zebra"}])
def test_where_there_is_no_exercise_the_closest_are_named_with_their_weeks(
    ask: Ask, arguments: dict[str, object]
) -> None:
    told = ask("exercise_search", **arguments)
    assert told == {"no_data": "There is no exercise on this.", "closest": ["Sequences, week 1", "DFT, week 3"]}


def test_an_exercise_of_a_week_that_does_not_exist_is_refused(observe: Callable[..., Observation]) -> None:
    observation = observe("exercise_search", query="DFT", week=12)
    assert not observation.ok and json.loads(observation.content)["weeks"] == "1 to 4"


def test_a_course_without_material_answers_no_data(ask: Ask) -> None:
    who = student()
    empty = replace(course_with(who), syllabus=(), textbook=(), exercises=())
    for tool in ("get_course_syllabus", "textbook_search", "exercise_search"):
        assert "no_data" in ask(tool, who, empty, query="DFT")
