"""The importance map as it is drawn."""

import dataclasses

import pytest
from matplotlib.colors import to_hex, to_rgb

from data.catalogue import load_catalogue
from data.course import Course, Direction, Importance, Student
from data.pictures.canvas import choose_ink
from data.pictures.importance import TINTS, UNKNOWN, describe_importance, draw_importance_map
from data.pictures.influence import Side, list_recorded_features
from tests.data.pictures.looking import covered, texts
from tests.tools.small_course import HOURS, course_with, student

FEATURES = [feature.name for feature in load_catalogue()]


def full(weeks: int, weighing: int, title: str = "Signals in Short") -> tuple[Course, Student]:
    """A course of some concluded weeks in which everything was list_recorded_features, with values long and short."""
    raw = (0.001, 1.0, 44 * HOURS, 1_234_567.0, -5 * HOURS)
    values = {(name, week): raw[(week + at) % 5] for at, name in enumerate(FEATURES) for week in range(1, weeks + 1)}
    importances = tuple(
        Importance(at % weeks + 1, FEATURES[at * 3], 0.3 + at, ("increase", "decrease")[at % 2], "pass", 1.0)
        for at in range(weighing)
    )
    asking = student("s1", values, importances)
    others = tuple(dataclasses.replace(asking, id=f"c{number}") for number in range(6))
    return dataclasses.replace(course_with(asking, others), weeks_done=weeks, title=title), asking


def test_the_map_says_who_what_and_how_it_compares() -> None:
    important = (Importance(2, "NumberOfSessions", 2.0, "increase", "pass", 5.0),)
    asking = student("s1", {("NumberOfSessions", 2): 3.0}, important)
    shown = texts(draw_importance_map(course_with(asking), asking))
    assert shown[:2] == ["What would help me pass", "Signals in Short · student s1"]
    assert {"week 1", "week 2", "Effort", "▲ 3", "class 6", "▲ more of it would help"} <= set(shown)
    assert not any("▼" in words for words in shown)
    assert "week 3" not in shown


@pytest.mark.parametrize(
    ("direction", "mark", "advice"), [("decrease", "▲ 3", "▲ keep it up"), ("increase", "▼ 3", "▼ keep it low")]
)
def test_who_is_expected_to_pass_is_told_what_to_keep(direction: Direction, mark: str, advice: str) -> None:
    important = (Importance(2, "NumberOfSessions", 2.0, direction, "fail", 5.0),)
    asking = student("s1", {("NumberOfSessions", 2): 3.0}, important)
    shown = texts(draw_importance_map(course_with(asking), asking))
    assert "What keeps me on the way to passing" in shown
    assert {mark, advice} <= set(shown)


def test_no_classmate_is_named_or_shown() -> None:
    important = (Importance(2, "NumberOfSessions", 2.0, "increase", "pass", 5.0),)
    asking = student("s1", {("NumberOfSessions", 2): 3.0}, important)
    course = course_with(asking)
    said = " ".join([*texts(draw_importance_map(course, asking)), describe_importance(course, asking)])
    assert not any(f"student {other}" in said for other in course.students if other != "s1")


def test_without_an_explanation_the_picture_says_so_and_draws_no_map() -> None:
    asking = student("s1", {("NumberOfSessions", 2): 3.0})
    course = course_with(asking)
    for features in (None, list_recorded_features(course)):
        shown = draw_importance_map(course, asking, features)
        assert " ".join(" ".join(texts(shown)[2:]).split()) == " ".join(UNKNOWN)
        assert covered(shown) == []
    assert describe_importance(course, asking) == " ".join(UNKNOWN)


def test_in_words_what_weighs_most_comes_first() -> None:
    important = (
        Importance(2, "NumberOfSessions", 1.0, "increase", "pass", 5.0),
        Importance(2, "DelayLecture", 2.0, "decrease", "pass", 5.0),
    )
    asking = student("s1", {("NumberOfSessions", 2): 3.0, ("DelayLecture", 2): 90 * HOURS}, important)
    assert describe_importance(course_with(asking), asking) == (
        "What would help me pass, what weighs most first: delay before watching lectures in week 2, "
        "less of it would help (mine 90, class 41 hours); number of study sessions in week 2, more of it would help "
        "(mine 3, class 6)."
    )


@pytest.mark.parametrize(("weeks", "weighing"), [(1, 1), (2, 2), (5, 12), (12, 12)])
def test_no_words_stand_on_others(weeks: int, weighing: int) -> None:
    course, asking = full(weeks, weighing, "Villes africaines I : introduction à la planification urbaine")
    assert covered(draw_importance_map(course, asking)) == []


def test_all_features_fit_too() -> None:
    course, asking = full(3, 4)
    figure = draw_importance_map(course, asking, list_recorded_features(course))
    assert covered(figure) == []
    assert texts(figure).count("week 1") == 1
    assert len([words for words in texts(figure) if words.startswith("class ")]) == 3 * len(FEATURES)


def luminance(color: tuple[float, float, float]) -> float:
    """The relative luminance of WCAG 2."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("share", [0.0, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0])
@pytest.mark.parametrize("side", TINTS)
def test_words_can_be_read_on_every_shade(side: Side, share: float) -> None:
    fill = to_hex(TINTS[side](share))
    dark, bright = sorted((luminance(to_rgb(fill)), luminance(to_rgb(choose_ink(fill)))))
    assert (bright + 0.05) / (dark + 0.05) >= 4.5
