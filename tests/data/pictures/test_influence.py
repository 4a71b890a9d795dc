"""What an importance map shows, checked against students written by hand."""

import pytest

from data.catalogue import UnknownFeature, load_catalogue
from data.course import Direction, Importance, Outcome, Student
from data.pictures.influence import FeatureRow, find_influence, list_recorded_features, shorten_value
from tests.tools.small_course import HOURS, Features, classmates, course_with


def student(*importances: Importance, features: Features | None = None, predicted: Outcome = "fail") -> Student:
    return Student("s1", features or {}, importances, (), {}, predicted, 0.5)


def weighs(
    feature: str = "NumberOfSessions", size: float = 1.0, direction: Direction = "increase", to: Outcome = "pass"
) -> Importance:
    return Importance(2, feature, size, direction, to, 5.0)


def rows(asking: Student) -> dict[str, FeatureRow]:
    shown = find_influence(course_with(asking), asking)
    return {row.feature.name: row for group in shown.groups.values() for row in group}


def test_a_cell_holds_the_own_value_the_class_and_the_share_of_the_largest_importance() -> None:
    asking = student(weighs(size=2.0), weighs("TotalClicksProblem", 0.5), features={("NumberOfSessions", 2): 3.0})
    found = rows(asking)
    first, second = found["NumberOfSessions"].cells
    assert (first.own, first.typical, first.weight) == ("no data", "6", 0.0)
    assert (second.own, second.typical, second.weight) == ("3", "6", 1.0)
    assert found["TotalClicksProblem"].cells[1].weight == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("direction", "to", "side"),
    [
        ("increase", "pass", "more"),
        ("decrease", "pass", "less"),
        ("decrease", "fail", "more"),
        ("increase", "fail", "less"),
    ],
)
def test_the_side_is_the_one_that_speaks_for_passing(direction: Direction, to: Outcome, side: str) -> None:
    asking = student(weighs(direction=direction, to=to), predicted="fail" if to == "pass" else "pass")
    assert rows(asking)["NumberOfSessions"].cells[1].side == side
    assert find_influence(course_with(asking), asking).towards_pass is (to == "pass")


def test_rows_without_influence_are_left_out_unless_they_are_asked_for() -> None:
    asking = student(weighs())
    assert list(rows(asking)) == ["NumberOfSessions"]
    course = course_with(asking)
    shown = find_influence(course, asking, list_recorded_features(course))
    names = [row.feature.name for group in shown.groups.values() for row in group]
    assert sorted(names) == sorted({feature for each in classmates() for feature, _ in each.features})
    assert len(shown.weighing) == 1


def test_dimensions_and_rows_that_weigh_most_come_first() -> None:
    asking = student(weighs("DelayLecture", 3.0), weighs("TotalClicksProblem", 1.0), weighs("NumberOfSessions", 1.5))
    shown = find_influence(course_with(asking), asking)
    assert list(shown.groups) == ["proactivity", "effort"]
    assert [row.feature.name for row in shown.groups["effort"]] == ["NumberOfSessions", "TotalClicksProblem"]


def test_a_small_class_gives_no_median_away() -> None:
    asking = student(weighs(), features={("NumberOfSessions", 2): 3.0})
    few = course_with(asking, classmates()[:3])
    assert find_influence(few, asking).weighing[0][1].typical is None
    assert find_influence(course_with(asking, classmates()[:4]), asking).weighing[0][1].typical is not None


def test_a_student_without_explanation_has_nothing_to_show() -> None:
    asking = student(features={("NumberOfSessions", 2): 3.0})
    course = course_with(asking)
    assert find_influence(course, asking).groups == {}
    assert find_influence(course, asking, list_recorded_features(course)).groups == {}


def test_an_unknown_feature_is_named() -> None:
    asking = student(weighs())
    with pytest.raises(UnknownFeature, match="NumberOfSession"):
        find_influence(course_with(asking), asking, ["NumberOfSessionz"])


@pytest.mark.parametrize(
    ("feature", "raw", "short"),
    [
        ("NumberOfSessions", 3.0, "3"),
        ("TotalClicks", 12_345.0, "12.3k"),
        ("TotalTimeVideo", 5.0, "<1"),
        ("ContentAlignment", 0.666, "67"),
        ("DelayLecture", 44 * HOURS, "44"),
        ("DelayLecture", -5 * HOURS, "5 early"),
    ],
)
def test_a_value_is_said_shortly_and_without_its_unit(feature: str, raw: float, short: str) -> None:
    assert shorten_value(load_catalogue().by_name(feature), raw) == short
