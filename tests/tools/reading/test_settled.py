"""What a hint and the names behind it settle: the week after the one talked about, exercises for a topic."""

from functools import cache

import pytest

from data.bundle import COURSES, Course, load
from tools.reading.known_questions import asks
from tools.reading.naming import Named
from tools.reading.settled import settled


@cache
def dsp() -> Course:
    return load(COURSES / "dsp")


LATER = "what a week is about, the same as before, a week later"


@pytest.mark.parametrize(
    ("hint", "week", "asked", "settled_week"),
    [
        (LATER, 5, "what a week is about", 6),
        (f"{LATER}; or small talk", 5, "what a week is about", 6),
        ("what went wrong in a week, the same as before, a week earlier", 5, "what went wrong in a week", 4),
    ],
)
def test_the_week_after_or_before_the_one_talked_about_is_counted(
    hint: str, week: int, asked: str, settled_week: int
) -> None:
    before = Named((week,), ("Aliasing",))
    assert settled(hint, Named(), before, dsp()) == (asked, Named((settled_week,)), Named())


@pytest.mark.parametrize(
    ("hint", "here", "before"),
    [
        (LATER, Named((3,)), Named((5,))),
        (LATER, Named(), Named((5, 6))),
        (LATER, Named(), Named()),
        ("what a week is about, the same as before", Named(), Named((5,))),
        (f"{LATER}; and small talk", Named(), Named((5,))),
        (LATER, Named(), Named((10,))),
    ],
)
def test_what_is_not_clear_stays_as_it_is(hint: str, here: Named, before: Named) -> None:
    assert settled(hint, here, before, dsp()) == (hint, here, before)


def test_who_wants_to_get_better_at_a_topic_gets_exercises_first() -> None:
    improve, exercises, topic = asks("improve"), asks("exercises_topic"), Named((), ("Aliasing",))
    assert settled(improve, topic, Named(), dsp())[0] == f"{exercises}; or {improve}"
    assert settled(f"{improve}; or {exercises}", topic, Named(), dsp())[0] == f"{exercises}; or {improve}"
    for here in (Named(), Named((3,), ("Aliasing",))):
        assert settled(improve, here, Named(), dsp())[0] == improve
