"""In a class of two to four no tool's result changes with what the classmates did or got."""

from dataclasses import replace

import pytest

from data.course import LEAST_CLASS, Course, Grade
from scribe.trajectory import Call
from tests.tools.small_course import HOURS, ScriptedEmbedder, classmates, course_with, student
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

OWN = {("DelayLecture", 2): 90 * HOURS, ("TotalClicksProblem", 2): 3.0, ("NumberOfSessions", 1): 2.0}
CALLS = (
    Call("sort_student_features_with_importance", {}),
    Call("sort_student_features_with_importance", {"week": 2}),
    Call("get_feature_description", {"feature": "DelayLecture"}),
    Call("get_feature_description", {"feature": "NumberOfSessions"}),
    Call("grade_calculator", {}),
    Call("impact_of_student_behaviors", {"query": "clicks in problems"}),
)


def results(course: Course) -> list[str]:
    toolbox = make_toolbox(course, "s1", VectorStore(ScriptedEmbedder()))
    return [toolbox.call(call, "English").content for call in CALLS]


def classes(size: int) -> tuple[Course, Course]:
    """The same student in two classes whose other members differ in every value and grade."""
    asking, others = student(features=OWN), classmates()[: size - 1]
    changed = [
        replace(
            one,
            features={place: 5 * raw + 1 for place, raw in one.features.items()},
            grades=tuple(Grade(each.item, each.score and each.score / 2, each.max, each.weight) for each in one.grades),
        )
        for one in others
    ]
    return course_with(asking, others), course_with(asking, changed)


@pytest.mark.parametrize("size", range(2, LEAST_CLASS))
def test_a_tool_says_the_same_whatever_the_few_classmates_did(size: int) -> None:
    one, other = classes(size)
    assert results(one) == results(other)


def test_the_attack_is_one_since_a_larger_class_gives_other_results() -> None:
    one, other = classes(LEAST_CLASS + 1)
    assert results(one) != results(other)
