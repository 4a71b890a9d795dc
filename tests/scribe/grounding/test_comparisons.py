"""What counted most, more than another, hardly or for many students must agree with influence and shares."""

import pytest

from tests.scribe.grounding.room import RANKED, complaints

REACH = {
    "dimension": "Effort",
    "definition": "Effort is how much time you put into the course.",
    "counted_for_students": "75 percent",
    "behaviours": {"time on videos": "60 percent", "quiz score per attempt": "30 percent"},
}


@pytest.mark.parametrize(
    "answer",
    [
        "In week 3 your quiz score per attempt counted most for you.",
        "In week 3 your quiz score per attempt counted more than your time on videos.",
        "Your delay before watching lectures hardly counted in week 3.",
        "Effort mattered for most students.",
    ],
)
def test_what_the_results_say_passes(answer: str) -> None:
    assert complaints(answer, RANKED, REACH) == []


@pytest.mark.parametrize(
    "answer",
    [
        "What helped you most in week 3 was your time on videos.",
        "Nothing counted more for you in week 3 than your time on videos.",
        "Your quiz score per attempt hardly mattered in week 3, it counted for you a little.",
        "Your delay before watching lectures weighed heavily against you in week 3.",
        "Effort counted for almost nobody in this course.",
        "The quiz score per attempt counted for more students than the time on videos.",
    ],
)
def test_another_order_is_refused(answer: str) -> None:
    assert complaints(answer, RANKED, REACH)
