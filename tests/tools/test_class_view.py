"""Figures over the class are told only where they give nobody away."""

from tools.details.own_value import OwnValue
from tools.phrases import phrases

from data.catalogue_languages import catalogue_in
from data.course import Importance
from tests.tools.small_course import HOURS, classmates, course_with, student
from tools.class_view import LEAST, ClassView

OWN = {("DelayLecture", 2): 90 * HOURS, ("TotalClicksProblem", 2): 3.0}
CATALOGUE = catalogue_in("en")


def test_influences_are_counted_over_enough_students_only() -> None:
    who = student(importances=(Importance(2, "DelayLecture", 1e-9, "increase", "pass", 0.0),))  # noise
    seen = ClassView(course_with(who)).times_influenced()
    assert seen == {"TotalClicksProblem": 3, "DelayLecture": 2}
    assert not ClassView(course_with(student(), classmates()[: LEAST - 1])).times_influenced()


def test_of_a_small_class_no_one_decides_which_behaviour_is_told() -> None:
    features = [CATALOGUE.by_name(name) for name in ("DelayLecture", "TotalClicksProblem")]
    told = [
        OwnValue(course, course.students["s1"], phrases("en")).most_telling(features)
        for course in (course_with(student(features=OWN), some) for some in (classmates(), classmates()[:4]))
    ]
    assert [each and each.name for each in told] == ["TotalClicksProblem", "DelayLecture"]
