"""What the tools say about the student's behaviour, and what they must not say."""

from collections.abc import Callable
from typing import Any

import pytest

from data.catalogue import load_catalogue
from data.course import Importance
from scribe.trajectory import Observation
from tests.tools.conftest import Ask
from tests.tools.small_course import HOURS, classmates, course_with, student
from tools.sort_student_features_with_importance import SHOWN

SORT = "sort_student_features_with_importance"
OWN = {
    ("NumberOfSessions", 1): 2.0,
    ("NumberOfSessions", 2): 2.0,
    ("TotalClicksProblem", 2): 12.0,
    ("ContentAlignment", 2): 0.9,
    ("TotalClicksWeekend", 2): 3.0,
}
FAILING = (
    Importance(2, "TotalClicksProblem", 0.5, "increase", "pass", 18.0),
    Importance(2, "DelayLecture", 0.2, "decrease", "pass", 30 * HOURS),
    Importance(2, "NumberOfSessions", 1e-9, "increase", "pass", 5.0),
)
PASSING = (
    Importance(2, "ContentAlignment", 0.5, "decrease", "fail", 0.6),
    Importance(2, "TotalClicksProblem", 0.1, "decrease", "fail", 6.0),
)
BUSY = OWN | {("TotalClicksProblem", 2): 31.0}
SESSIONS = {
    "behaviour": "number of study sessions",
    "yours": "2 sessions",
    "median": "6 sessions",
    "quarter": "lowest",
    "influence": 0.0,
}
ON_TIME = {
    "behaviour": "videos opened on time",
    "yours": "90 percent",
    "median": "53 percent",
    "quarter": "highest",
    "influence": 0.0,
}


def test_what_counted_most_comes_first_beside_the_class_and_then_what_stands_out(ask: Ask) -> None:
    told = ask(SORT, student(features=OWN, importances=FAILING), week=2)
    assert told == {
        "week": 2,
        "predicted": "fail",
        "counted_for": [ON_TIME],
        "counted_against": [
            {
                "behaviour": "quiz answers submitted",
                "yours": "12 answers",
                "median": "20 answers",
                "quarter": "lowest",
                "influence": 0.5,
            },
            # No value of the student's: what was not measured is never filled in.
            {
                "behaviour": "delay before watching lectures",
                "yours": "no value",
                "median": "40 hours",
                "influence": 0.2,
            },
            SESSIONS,  # its 1e-9 is rounding noise of the explanation
        ],
    }


def test_all_weeks_together_name_the_week_of_each_and_say_where_most_was_decided(ask: Ask) -> None:
    told = ask(SORT, student(features=OWN, importances=FAILING))
    assert (told["weeks"], told["total_influence"]) == ("1 to 2", {"1": 0.0, "2": 0.7})
    assert "week" not in told
    assert [(row["behaviour"], row["week"]) for row in told["counted_against"]] == [
        ("quiz answers submitted", 2),
        ("delay before watching lectures", 2),
        ("number of study sessions", 1),
        ("number of study sessions", 2),
    ]


def test_of_a_passing_student_what_would_flip_the_result_counted_for_it(ask: Ask) -> None:
    told = ask(SORT, student(features=BUSY, importances=PASSING), week=2)
    assert told["predicted"] == "pass"
    assert [(row["behaviour"], row["influence"]) for row in told["counted_for"]] == [
        ("videos opened on time", 0.5),
        ("quiz answers submitted", 0.1),
    ]
    assert told["counted_against"] == [SESSIONS]


@pytest.mark.parametrize(
    ("importance", "own", "alone"),
    [
        (FAILING[0], OWN, {"alone_pass_at": "18 answers"}),
        (PASSING[1], BUSY, {"alone_fail_at": "6 answers"}),
        (
            Importance(2, "DelayLecture", 0.5, "decrease", "pass", 44 * HOURS),
            {("DelayLecture", 2): 90 * HOURS},
            {"alone_pass_at": "44 hours"},
        ),
    ],
)
def test_where_one_change_alone_flips_the_result_it_is_told(
    ask: Ask, importance: Importance, own: dict[tuple[str, int], float], alone: dict[str, str]
) -> None:
    told = ask(SORT, student(features=own, importances=(importance,)), week=2)
    first = (told["counted_against"] if importance.flips_to == "pass" else told["counted_for"])[0]
    assert {key: value for key, value in first.items() if key.startswith("alone")} == alone


def test_of_several_changes_none_is_promised_to_flip_it_alone(ask: Ask) -> None:
    told = ask(SORT, student(features=OWN, importances=FAILING), week=2)
    assert not [key for row in told["counted_against"] for key in row if key.startswith("alone")]


@pytest.mark.parametrize(
    "against",
    [
        Importance(2, "NumberOfSessions", 0.5, "decrease", "pass", 1.0),  # study less and pass
        Importance(2, "ContentAlignment", 0.5, "increase", "pass", 1.0),  # a strength, raised further
        Importance(2, "TotalClicksWeekend", 0.5, "increase", "pass", 9.0),  # of which more is not better
    ],
)
def test_a_change_that_makes_no_sense_as_advice_counts_for_nothing(ask: Ask, against: Importance) -> None:
    told = ask(SORT, student(features=OWN, importances=(against,)), week=2)
    assert {row["influence"] for side in ("counted_for", "counted_against") for row in told[side]} == {0.0}


def test_without_an_explanation_what_stands_out_in_the_class_is_still_told(ask: Ask) -> None:
    told = ask(SORT, student(features=OWN), week=2)
    assert told["counted_for"] == [ON_TIME] and told["counted_against"][0] == SESSIONS


def test_a_side_has_only_so_many_rows_and_the_weightiest_of_them(ask: Ask) -> None:
    names = (
        "NumberOfSessions",
        "TotalClicks",
        "TotalClicksProblem",
        "TotalClicksVideo",
        "TotalTimeVideo",
        "TotalTimeSessions",
    )
    influences = (0.3, 0.6, 0.1, 0.5, 0.2, 0.4)
    given = zip(names, influences, strict=True)
    many = tuple(Importance(2, name, influence, "increase", "pass", 9.0) for name, influence in given)
    told = ask(SORT, student(importances=many, features=OWN), week=2)
    assert [row["influence"] for row in told["counted_against"]] == [0.6, 0.5, 0.4, 0.3, 0.2]
    assert len(told["counted_against"]) == SHOWN


@pytest.mark.parametrize(
    ("who", "week", "told"),
    [
        (student(features=OWN), 3, "Week 3 is not over yet."),
        (student(), 1, "There was no activity."),
        (student(), None, "There was no activity."),
    ],
)
def test_no_data_is_an_answer_that_names_the_weeks_there_are(ask: Ask, who: Any, week: int | None, told: str) -> None:
    assert ask(SORT, who, week=week) == {"no_data": told, "recorded_weeks": "1 to 2"}


def test_in_a_tiny_class_no_median_gives_a_classmate_away(ask: Ask) -> None:
    who = student(features=OWN, importances=FAILING)
    told = ask(SORT, who, course_with(who, others=classmates()[:2]), week=2)
    assert told["counted_for"] == []
    assert told["counted_against"] == [
        {"behaviour": "quiz answers submitted", "yours": "12 answers", "influence": 0.5},
        {"behaviour": "delay before watching lectures", "yours": "no value", "influence": 0.2},
    ]


@pytest.mark.parametrize(
    "asked",
    [
        "DelayLecture",
        "delay_lecture",
        "delay_lecture_InWeek5",
        "delay lecture",
        "delay before watching lectures",
        "lecture delay",
        "watching lectures",
        "my delay before watching lectures in week 3",
        "DelayLectrue",
    ],
)
def test_a_feature_is_found_by_any_of_its_names(ask: Ask, asked: str) -> None:
    told = ask("get_feature_description", student(features={("DelayLecture", 1): 3 * HOURS}), feature=asked)
    assert told["name"] == "delay before watching lectures"
    assert told["meaning"].startswith("Measures the average time ")
    assert (told["better"], told["dimension"]) == ("less", "Proactivity")
    # Nobody else has a value in week 1, so there is no median to compare with.
    assert told["yours_by_week"] == {"1": "3 hours", "2": "no value, class 40 hours"}


def test_of_a_behaviour_that_may_go_either_way_no_direction_is_called_better(ask: Ask) -> None:
    assert "better" not in ask("get_feature_description", feature="TotalClicksWeekend")


@pytest.mark.parametrize("asked", ["TotalClicksVideo", "total_clicks_video", "total_clicks_Video"])
def test_two_columns_of_one_name_are_one_feature(ask: Ask, asked: str) -> None:
    assert ask("get_feature_description", feature=asked)["name"] == "clicks in videos"


def test_an_unknown_feature_gives_three_close_names(ask: Ask) -> None:
    told = ask("get_feature_description", feature="favourite pizza topping")
    assert list(told) == ["no_data", "closest"] and len(set(told["closest"])) == 3


def test_a_dimension_is_explained_by_what_measures_it(ask: Ask) -> None:
    told = ask("get_feature_description", feature="regularity")
    assert told["name"] == "Regularity"
    assert told["meaning"].startswith("Regularity is ")
    assert told["measured_by"][0] == "fixed hours of study"


@pytest.mark.parametrize(
    ("word", "name"), [("median", "typical"), ("contrastive", "contrast event"), ("quartile", "highest quarter")]
)
def test_a_word_of_the_report_is_explained(ask: Ask, word: str, name: str) -> None:
    told = ask("get_feature_description", feature=word)
    assert told["name"] == name and set(told) == {"name", "meaning"}


PLAN = "start early on new videos and quiz problems"


def test_a_plan_is_answered_with_its_side_of_behaviour_and_how_often_it_counts(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query=PLAN)
    assert list(told) == ["dimension", "definition", "counted_for_students", "behaviours", "others"]
    assert told["dimension"] == "Proactivity"
    # Of the five classmates, who have an explanation, two have an influence of their delay.
    assert told["counted_for_students"] == "40 percent"
    assert told["behaviours"] == {"delay before watching lectures": "40 percent"}
    assert len(told["others"]) == 2 and "Proactivity" not in told["others"]


def test_in_a_tiny_class_no_share_gives_a_classmate_away(ask: Ask) -> None:
    who = student()
    told = ask("impact_of_student_behaviors", who, course_with(who, others=classmates()[:2]), query=PLAN)
    assert (told["counted_for_students"], told["behaviours"]) == ("unknown", {})


def test_steering_videos_is_described_where_it_is_asked_for_and_never_proposed(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query="control: how you steer videos, pausing and seeking")
    assert told["dimension"] == "Control"
    for query in (PLAN, "eating pizza"):
        other = ask("impact_of_student_behaviors", query=query)
        assert "Control" not in other.get("others", {}) | other.get("known", {})


def test_a_behaviour_asked_for_by_its_name_belongs_where_the_catalogue_says(ask: Ask) -> None:
    catalogue = load_catalogue()
    for feature in catalogue:
        if feature.dimension:
            told = ask("impact_of_student_behaviors", query=feature.label)
            assert told["dimension"] == catalogue.dimension(feature.dimension).title, feature.label


def test_what_is_no_learning_behaviour_is_not_forced_into_one(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query="eating pizza")
    assert list(told) == ["no_data", "known"]
    assert set(told["known"]) == {"Effort", "Consistency", "Regularity", "Proactivity", "Assessment"}


@pytest.mark.parametrize(
    ("tool", "argument"), [("get_feature_description", "feature"), ("impact_of_student_behaviors", "query")]
)
def test_an_empty_text_is_refused_by_the_arguments_own_name(
    observe: Callable[..., Observation], tool: str, argument: str
) -> None:
    observation = observe(tool, **{argument: " ?! "})
    assert not observation.ok and f"The argument {argument} is empty" in observation.content
