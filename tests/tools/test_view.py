"""What tools see: a student beside the class, names in the conversation's language, and arguments that they share."""

from dataclasses import replace
from pathlib import Path

import pytest

from data.course import LEAST_CLASS, Prerequisite, Week
from scribe.tool import Refusal, Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import HOURS, ScriptedEmbedder, classmates, course_with, student
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox
from tools.view import (
    LONGEST_QUERY,
    QUARTERS,
    ClassView,
    StudentView,
    clean_query,
    find_week,
    no_data,
    week_bounds,
)


def test_the_bounds_of_weeks_are_the_courses() -> None:
    assert week_bounds(course_with(student())).json_schema_extra == {"minimum": 1, "maximum": 4}


def test_a_week_is_found_by_its_number() -> None:
    assert find_week(course_with(student()), 3).title == "Transforms"


@pytest.mark.parametrize("week", [-1, 0, 5, 10**9])
def test_a_week_that_there_is_not_is_refused_with_those_there_are(week: int) -> None:
    with pytest.raises(Refusal, match=f"There is no week {week}") as refused:
        find_week(course_with(student()), week)
    assert refused.value.hints == {"weeks": "1 to 4"}


@pytest.mark.parametrize(
    ("text", "said"),
    [("  the\n DFT\t?", "the DFT ?"), ("é", "é"), ("7", "7"), ("什么", "什么"), ("x" * 999, "x" * LONGEST_QUERY)],
)
def test_a_query_is_one_line_of_a_sensible_length(text: str, said: str) -> None:
    assert clean_query(text) == said


@pytest.mark.parametrize("text", ["", " \n", "?!…", "🦆", " " * 999 + "?"])
def test_a_query_without_a_letter_or_digit_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(Refusal, match="The argument feature is empty"):
        clean_query(text, "feature")


def test_no_data_says_first_what_is_missing() -> None:
    assert list(no_data("Nothing.", closest=["a"]).items()) == [("no_data", "Nothing."), ("closest", ["a"])]


OWN = {("DelayLecture", 2): 90 * HOURS, ("TotalClicksProblem", 2): 3.0}


def class_view(others: int = LEAST_CLASS) -> ClassView:
    """The class with a late student and so many others."""
    return ClassView(course_with(student(features=OWN), classmates()[:others]))


def test_a_median_needs_enough_students_with_a_value() -> None:
    assert class_view().median("TotalClicksProblem", 2) == 20.0
    assert class_view(LEAST_CLASS - 2).median("TotalClicksProblem", 2) is None
    assert class_view().median("TotalClicksProblem", 1) is None


@pytest.mark.parametrize(("feature", "rank"), [("DelayLecture", 5.5 / 6), ("TotalClicksProblem", 0.5 / 6)])
def test_a_rank_is_the_share_of_the_class_below_and_half_of_equals(feature: str, rank: float) -> None:
    seen = class_view()
    assert seen.rank(seen.course.students["s1"], feature, 2) == pytest.approx(rank)
    assert seen.rank(seen.course.students["c0"], "TotalClicksProblem", 2) == pytest.approx((1 + 5 / 2) / 6)


def test_without_a_value_or_in_a_small_class_there_is_no_rank() -> None:
    seen, small = class_view(), class_view(LEAST_CLASS - 2)
    assert seen.rank(seen.course.students["s1"], "NumberOfSessions", 2) is None
    assert small.rank(small.course.students["s1"], "DelayLecture", 2) is None


def test_the_share_of_the_influenced_is_of_those_who_have_an_explanation() -> None:
    assert class_view().share_influenced({"DelayLecture"}) == pytest.approx(2 / 5)
    assert class_view().share_influenced({"DelayLecture", "TotalClicksProblem"}) == 1.0
    assert class_view(LEAST_CLASS - 1).share_influenced({"DelayLecture"}) is None


FRENCH_PLAN = (
    Week(1, "Géodésie", ("Géoïde", "Unités"), 1, "Geodesy", ("Geoid", "Units")),
    Week(2, "Orientation", ("Orientation",), 0, "Orientation", ("Orientation",)),
)
WHY = Prerequisite("Orientation", "Géoïde", "tout en dépend", "all depends on it")


def view(folder: Path, language: str = "en", sessions: float | None = 2.0, others: int = 5) -> StudentView:
    features = {} if sessions is None else {("NumberOfSessions", 2): sessions}
    who = student(features=features)
    return StudentView(course_with(who, classmates()[:others]), who, VectorStore(ScriptedEmbedder(), folder), language)


def test_values_and_medians_have_their_units_in_the_language(tmp_path: Path) -> None:
    english, french = view(tmp_path), view(tmp_path, "fr")
    sessions, delay = (english.catalogue.by_name(name) for name in ("NumberOfSessions", "DelayLecture"))
    assert (english.own(sessions, 2), english.median(sessions, 2)) == ("2 sessions", "6 sessions")
    assert english.median(delay, 2) == "40 hours"
    assert french.median(french.catalogue.by_name("DelayLecture"), 2) == "40 heures"


def test_what_is_not_there_is_none_and_never_zero(tmp_path: Path) -> None:
    seen, small = view(tmp_path, sessions=None), view(tmp_path, others=2)
    sessions = seen.catalogue.by_name("NumberOfSessions")
    assert seen.own(sessions, 2) is None and seen.quarter(sessions, 2) is None
    assert small.own(sessions, 2) == "2 sessions"
    assert small.median(sessions, 2) is None and small.quarter(sessions, 2) is None


@pytest.mark.parametrize(
    ("sessions", "quarter"), [(1.0, "lowest"), (5.5, "lower middle"), (6.5, "upper middle"), (99.0, "highest")]
)
def test_the_quarter_is_where_the_value_lies_in_the_class(tmp_path: Path, sessions: float, quarter: str) -> None:
    seen = view(tmp_path, sessions=sessions)  # the others have 4, 5, 6, 7 and 8
    assert seen.quarter(seen.catalogue.by_name("NumberOfSessions"), 2) == quarter
    assert quarter in QUARTERS


@pytest.mark.parametrize(
    ("language", "name", "english", "shown"),
    [
        ("en", "Géoïde", "Geoid", "Géoïde (Geoid)"),
        ("en", "Orientation", "orientation", "Orientation"),
        ("en", "Géoïde", "", "Géoïde"),
        ("fr", "Géoïde", "Geoid", "Géoïde"),
    ],
)
def test_a_name_has_its_english_behind_it_only_where_that_says_more(
    tmp_path: Path, language: str, name: str, english: str, shown: str
) -> None:
    assert view(tmp_path, language).glossed(name, english) == shown


@pytest.fixture
def french(tmp_path: Path) -> Toolbox:
    """The tools of a course that is taught in French."""
    who = student(features={("DelayLecture", 2): 2 * HOURS})
    course = replace(course_with(who), plan=FRENCH_PLAN, prerequisites=(WHY,), weeks=2, language="fr")
    return make_toolbox(course, "s1", VectorStore(ScriptedEmbedder(), tmp_path))


@pytest.mark.parametrize(("language", "english"), [("English", True), ("French", False), ("", False)])
def test_a_toolbox_of_a_french_course_speaks_english_in_a_conversation_in_english(
    french: Toolbox, language: str, english: bool
) -> None:
    def said(name: str, **arguments: object) -> str:
        return french.call(Call(name, arguments), language).content

    assert ("Géoïde (Geoid)" in said("map_week_to_topic", week=1)) == english
    needs = said("get_dependant_topics", week=2)
    assert ("all depends on it" in needs, "tout en dépend" in needs) == (english, not english)
    delay = said("get_feature_description", feature="DelayLecture")
    assert ("2 hours" in delay, "2 heures" in delay) == (english, not english)


def test_both_languages_list_the_same_tools_and_refuse_the_same(french: Toolbox) -> None:
    for language in ("English", "French"):
        assert not french.call(Call("grade_calculator", {"student": "c1"}), language).ok
        assert not french.call(Call("map_week_to_topic", {"week": 3}), language).ok
    assert "map_week_to_topic(week: integer 1-2)" in french.listing
