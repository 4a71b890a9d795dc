"""Figures over the class are told only where they give nobody away."""

import pytest

from tests.tools.small_course import HOURS, classmates, course_with, student
from tools.view.class_view import LEAST, ClassView

OWN = {("DelayLecture", 2): 90 * HOURS, ("TotalClicksProblem", 2): 3.0}


def view(others: int = LEAST) -> ClassView:
    """The class with a late student and so many others."""
    return ClassView(course_with(student(features=OWN), classmates()[:others]))


def test_a_median_needs_enough_students_with_a_value() -> None:
    assert view().median("TotalClicksProblem", 2) == 20.0
    assert view(LEAST - 2).median("TotalClicksProblem", 2) is None
    assert view().median("TotalClicksProblem", 1) is None


@pytest.mark.parametrize(("feature", "rank"), [("DelayLecture", 5.5 / 6), ("TotalClicksProblem", 0.5 / 6)])
def test_a_rank_is_the_share_of_the_class_below_and_half_of_equals(feature: str, rank: float) -> None:
    seen = view()
    assert seen.rank(seen.course.students["s1"], feature, 2) == pytest.approx(rank)
    assert seen.rank(seen.course.students["c0"], "TotalClicksProblem", 2) == pytest.approx((1 + 5 / 2) / 6)


def test_without_a_value_or_in_a_small_class_there_is_no_rank() -> None:
    seen, small = view(), view(LEAST - 2)
    assert seen.rank(seen.course.students["s1"], "NumberOfSessions", 2) is None
    assert small.rank(small.course.students["s1"], "DelayLecture", 2) is None


def test_the_share_of_the_influenced_is_of_those_who_have_an_explanation() -> None:
    assert view().share_influenced({"DelayLecture"}) == pytest.approx(2 / 5)
    assert view().share_influenced({"DelayLecture", "TotalClicksProblem"}) == 1.0
    assert view(LEAST - 1).share_influenced({"DelayLecture"}) is None
