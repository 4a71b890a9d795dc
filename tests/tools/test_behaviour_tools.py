"""What the tools say about the student's behaviour, and what they must not say."""

import json
from collections.abc import Callable

import pytest

from data.course import Grade, Importance
from scribe.trajectory import Observation
from tests.tools.conftest import Ask
from tests.tools.small_course import HOURS, Features, classmates, course_with, grades, student

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


def test_a_failing_student_is_told_what_to_raise_and_lower(ask: Ask) -> None:
    told = ask("sort_student_features_with_importance", student(features=OWN, importances=FAILING), week=2)
    assert told["first"] == "quiz answers submitted"
    assert told["went_wrong"] == (
        "In week 2 what held you back most was quiz answers submitted with 12 answers (class 20 answers). "
        "Next came delay before watching lectures with no data (class 40 hours)."
    )
    assert told["do"].startswith("So first raise quiz answers submitted, to about 18 answers. ")
    assert told["went_well"] == (
        "In week 2 you were ahead of the class in videos opened on time with 90 percent (class 53 percent). "
        "Keep this habit."
    )


def test_what_harms_by_being_too_much_is_to_be_lowered(ask: Ask) -> None:
    late = {("DelayLecture", 2): 90 * HOURS}
    who = student(features=late, importances=(Importance(2, "DelayLecture", 0.5, "decrease", "pass", 44 * HOURS),))
    told = ask("sort_student_features_with_importance", who, week=2)
    assert "delay before watching lectures with 90 hours (class 41 hours)" in told["went_wrong"]
    assert told["do"].startswith("So first lower delay before watching lectures, to about 44 hours. ")


def test_a_strength_of_which_less_is_better_is_to_be_kept_low(ask: Ask) -> None:
    early = {("DelayLecture", 2): 2 * HOURS}
    who = student(features=early, importances=(Importance(2, "DelayLecture", 0.5, "increase", "fail", 30 * HOURS),))
    told = ask("sort_student_features_with_importance", who, week=2)
    assert told["do"] == "So keep delay before watching lectures low, well below 30 hours."


def test_what_mattered_beyond_the_second_is_compared_too_most_important_first(ask: Ask) -> None:
    four = (
        Importance(2, "ContentAlignment", 0.1, "increase", "pass", 0.6),
        Importance(2, "NumberOfSessions", 0.15, "increase", "pass", 5.0),
        *FAILING[:2],
    )
    own = OWN | {("ContentAlignment", 2): 0.2}
    told = ask("sort_student_features_with_importance", student(features=own, importances=four), week=2)
    assert told["first"] == "quiz answers submitted"
    assert told["then"] == [
        "number of study sessions with 2 sessions (class 6 sessions)",
        "videos opened on time with 20 percent (class 52 percent)",
    ]


def test_rounding_noise_is_no_influence(ask: Ask) -> None:
    some = (FAILING[0], FAILING[2])
    told = ask("sort_student_features_with_importance", student(features=OWN, importances=some), week=2)
    assert told["no_measurable_influence"] == ["number of study sessions"]


def test_what_rises_and_falls_with_an_influence_is_not_called_without_one(ask: Ask) -> None:
    # In this class whoever has more sessions watches later, and delay had influence.
    told = ask("sort_student_features_with_importance", student(features=OWN, importances=FAILING), week=2)
    assert "number of study sessions" not in told["no_measurable_influence"]


def test_what_weighs_for_nobody_may_be_unread_and_is_not_called_without_influence(ask: Ask) -> None:
    own = OWN | {("TotalClicks", 2): 90.0, ("ContentAlignment", 2): 0.5}
    told = ask("sort_student_features_with_importance", student(features=own, importances=FAILING[:1]), week=2)
    assert told["no_measurable_influence"] == []


@pytest.mark.parametrize(
    ("importances", "own", "marks", "said"),
    [
        (FAILING, OWN, grades(8, 8, 16, 16), "keep pace with the pass mark, but the way you study points the other"),
        (PASSING, BUSY, grades(4, 4, 8, 8), "are below the pace for the pass mark, but the way you study points"),
        (FAILING, OWN, grades(4, 4, 8, 8), None),
        (PASSING, BUSY, grades(8, 8, 16, 16), None),
    ],
)
def test_where_marks_and_outlook_disagree_both_are_told(
    ask: Ask, importances: tuple[Importance, ...], own: Features, marks: tuple[Grade, ...], said: str | None
) -> None:
    who = student(features=own, importances=importances, marks=marks)
    week, total = ask("sort_student_features_with_importance", who, week=2), ask("grade_calculator", who)
    for text in (week["went_wrong"], total["verdict"]):
        assert f"Your marks so far {said}" in text if said else "Your marks" not in text


def test_a_passing_student_is_never_told_to_move_towards_failing(
    observe: Callable[..., Observation],
) -> None:
    who = student(features=BUSY, importances=PASSING, marks=grades(8, 8, 16, 16))
    content = observe("sort_student_features_with_importance", who, week=2).content
    told = json.loads(content)
    assert told["went_well"] == (
        "In week 2 what mattered most went well: videos opened on time with 90 percent (class 53 percent). "
        "Also good was quiz answers submitted with 31 answers (class 20 answers). "
        "So keep videos opened on time well above 60 percent."
    )
    assert told["do"] == "So keep videos opened on time well above 60 percent."
    assert told["went_wrong"] == (
        "Week 2 went well. You were behind the class in number of study sessions with 2 sessions (class 6 sessions)."
    )
    assert "raise" not in content and "lower" not in content and "held you back" not in content


@pytest.mark.parametrize(
    "against",
    [
        Importance(2, "NumberOfSessions", 0.5, "decrease", "pass", 1.0),  # study less and pass
        Importance(2, "ContentAlignment", 0.5, "increase", "pass", 1.0),  # a strength, raised further
        Importance(2, "TotalClicksWeekend", 0.5, "increase", "pass", 9.0),  # of which more is not better
    ],
)
def test_a_change_that_is_no_advice_is_not_given_as_such(ask: Ask, against: Importance) -> None:
    told = ask("sort_student_features_with_importance", student(features=OWN, importances=(against,)), week=2)
    assert told["no_data"] == "No behaviour of week 2 that had influence on your result calls for a change."
    assert "do" not in told and told["try"] == "Ask about your grade instead."


def test_a_student_without_an_explanation_is_told_so(ask: Ask) -> None:
    told = ask("sort_student_features_with_importance", student(features=OWN), week=2)
    explained = "No change of behaviour was found that explains your result, in week 2 or any other."
    assert told["no_data"] == explained
    assert told["went_wrong"].startswith("You were behind the class in ")


@pytest.mark.parametrize("target", [12.2, 31.0])
def test_a_change_too_small_to_show_or_beyond_the_class_names_no_limit(ask: Ask, target: float) -> None:
    change = Importance(2, "TotalClicksProblem", 0.5, "increase", "pass", target)
    told = ask("sort_student_features_with_importance", student(features=OWN, importances=(change,)), week=2)
    assert told["do"].startswith("So first raise quiz answers submitted. ")


def test_missing_values_are_never_filled_in(observe: Callable[..., Observation]) -> None:
    who = student(features=OWN, importances=FAILING)
    content = observe("sort_student_features_with_importance", who, week=2).content
    assert "delay before watching lectures with no data" in content
    assert "0 hours" not in content.replace("40 hours", "")


def test_a_week_that_has_not_happened_has_no_data(ask: Ask) -> None:
    who = student(features=OWN, importances=FAILING)
    told = ask("sort_student_features_with_importance", who, week=3)
    assert told == {
        "no_data": "Week 3 is not recorded yet, only weeks 1 to 2.",
        "try": "Ask about weeks 1 to 2.",
    }


def test_a_week_in_which_nothing_mattered_still_compares_and_names_the_weeks_that_did(ask: Ask) -> None:
    who = student(features=OWN, importances=FAILING)
    told = ask("sort_student_features_with_importance", who, week=1)
    assert told["no_data"] == "No behaviour of week 1 had a measurable influence on your result."
    assert told["went_wrong"] == (
        "You were behind the class in number of study sessions with 2 sessions (class 6 sessions)."
    )
    assert told["went_well"] == "In week 1 no behaviour stands out as better than in the class."
    assert told["try"] == "Ask about week 2."


def test_a_week_without_any_record_says_so(ask: Ask) -> None:
    told = ask("sort_student_features_with_importance", student(), week=1)
    assert told["no_data"] == "No activity of yours was recorded in week 1."


def test_in_a_tiny_class_no_median_gives_a_classmate_away(ask: Ask) -> None:
    who = student(features=OWN, importances=FAILING)
    tiny = course_with(who, others=classmates()[:2])
    told = ask("sort_student_features_with_importance", who, tiny, week=2)
    assert "with 12 answers (class no data)." in told["went_wrong"]
    assert told["went_wrong"].endswith("with no data (class no data).")
    assert told["went_well"] == "In week 2 there is no comparison with the class."


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
    told = ask("get_feature_description", feature=asked)
    assert told["name"] == "DelayLecture"
    assert told["says"].startswith("The behaviour delay before watching lectures measures the average time ")
    assert told["dimension"] == "It belongs to Proactivity."
    assert told["usually"] == "Usually less of it goes with better results."


def test_of_a_behaviour_that_may_go_either_way_no_direction_is_called_better(ask: Ask) -> None:
    assert "usually" not in ask("get_feature_description", feature="TotalClicksWeekend")


@pytest.mark.parametrize("asked", ["TotalClicksVideo", "total_clicks_video", "total_clicks_Video"])
def test_two_columns_of_one_name_are_one_feature(ask: Ask, asked: str) -> None:
    told = ask("get_feature_description", feature=asked)
    assert told["says"].startswith("The behaviour clicks in videos counts ")


def test_an_unknown_feature_gives_three_close_names(ask: Ask) -> None:
    told = ask("get_feature_description", feature="favourite pizza topping")
    assert told["no_data"] == "No behaviour has this name."
    assert len(told["try"].removeprefix("Close names: ").replace(" or ", ", ").split(", ")) == 3


def test_a_dimension_is_explained_by_what_measures_it(ask: Ask) -> None:
    told = ask("get_feature_description", feature="Regularity")
    assert told["name"] == "regularity"
    assert told["says"].startswith("Regularity is ")
    assert told["measured"].startswith("It is measured by fixed hours of study, ")


def test_a_behaviour_that_stands_out_is_not_listed_as_without_influence_too(ask: Ask) -> None:
    some = (Importance(2, "TotalClicksProblem", 0.5, "increase", "pass", 18.0),)
    others = (Importance(1, "ContentAlignment", 0.5, "increase", "pass", 1.0),)
    who = student(features=OWN, importances=(*some, FAILING[2], *others))
    told = ask("sort_student_features_with_importance", who, week=2)
    assert told["no_measurable_influence"] == ["number of study sessions"]
    assert not any(label in told["went_well"] for label in told["no_measurable_influence"])


def test_a_plan_is_answered_with_its_side_of_behaviour(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query="start early")
    assert list(told) == ["dimension", "says", "matters", "advice", "alternatives"]
    assert told["dimension"] == "Proactivity"
    assert told["says"].startswith("This is about Proactivity. Proactivity is ")
    # 2 of the 5 who have an explanation
    assert told["matters"] == "In this course proactivity matters for about half of the students."
    assert len(told["alternatives"]) == 2 and "Proactivity" not in told["alternatives"]


def test_in_a_tiny_class_no_share_gives_a_classmate_away(ask: Ask) -> None:
    who = student()
    tiny = course_with(who, others=classmates()[:2])
    told = ask("impact_of_student_behaviors", who, tiny, query="start early")
    assert "matters" not in told


def test_steering_videos_is_not_advised_on(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query="pause the video and take notes")
    assert told["no_data"].endswith(" It is measured, but says little about passing.")
    assert "control" not in told["try"]


def test_what_is_no_learning_behaviour_is_not_forced_into_one(ask: Ask) -> None:
    told = ask("impact_of_student_behaviors", query="eating pizza")
    assert told["no_data"] == "This is not one of the behaviours that were measured."
