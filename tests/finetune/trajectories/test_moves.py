"""What the expert hands on to tools of a question's own words."""

from dataclasses import replace

import pytest

from finetune.questions import Question
from finetune.trajectories.moves import core, typed


def test_a_behaviour_is_looked_up_without_what_is_told_around_it() -> None:
    question = Question(
        "behaviour_impact",
        'I was sick. It says "your quiz score was 8 percent". would starting earlier help me also what is my grade',
        {"behaviour": "starting earlier"},
        wording="would {behaviour} help me",
    )
    assert core(question) == "would starting earlier help me"
    mistyped = replace(question, text="Hi, wuold starting earlier help me pls")
    assert core(mistyped) == mistyped.text


@pytest.mark.parametrize(
    ("text", "value", "handed_on"),
    [
        ("what is Aliasing?", "aliasing", "Aliasing"),
        ("exercises on anti-alaising, please", "Anti-aliasing", "anti-alaising"),
        ("vestnig schedule?? explain", "vesting schedule", "vestnig schedule"),
        ("explain it again", "aliasing", "aliasing"),  # nothing like it is there
        ("reading is not enough", "FFT", "FFT"),
        ("", "aliasing", "aliasing"),
    ],
)
def test_a_topic_is_handed_on_as_it_was_typed(text: str, value: str, handed_on: str) -> None:
    assert typed(Question("concept", text, wording="what is {topic}?"), value) == handed_on


def test_a_topic_of_the_question_before_is_not_looked_for_in_the_one_that_leans_on_it() -> None:
    assert typed(Question("concept", "what does DTFS mean", wording="what does it mean"), "DFS") == "DFS"
