"""Which lines an answer rests on."""

import json

from finetune.examples.quoting import MOST, add_quotes, find_quotes
from scribe.quotes import find_misquoted
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Trajectory
from tests.scribe.scene import task

POINTS = {
    "earned": "14 percent",
    "missing": "36 percent",
    "points": {f"Quiz of week {week}": f"{week + 1} of 10" for week in range(1, 6)},
}
NEEDS = {
    "week": 9,
    "needs": [{"topic": "FFT", "week": 4, "because": "ADSL sends data on channels"}, {"topic": "Filters", "week": 5}],
}


def answered(text: str, *results: object) -> Trajectory:
    seen = tuple(Observation(True, json.dumps(result)) for result in results)
    asked = Trajectory(task("Why?", "In week 2 you watched 12 videos, the class 20."))
    acts = (Act("I look.", tuple(Call("f") for _ in results), seen),) if results else ()
    return Trajectory(asked.task, (*acts, Answer("I know it.", text)), Stop.ANSWERED)


def test_a_figure_brings_the_line_that_holds_it() -> None:
    assert find_quotes(answered("You have 14 percent, and 36 percent are missing.", POINTS)) == (
        "earned: 14 percent",
        "missing: 36 percent",
    )


def test_a_line_comes_with_the_first_of_its_result_if_that_says_of_what_all_are() -> None:
    assert find_quotes(
        answered("Read the FFT of week 4 again, because ADSL sends its data on many channels.", NEEDS)
    ) == (
        "week: 9",
        "needs: FFT; week 4; because ADSL sends data on channels",
    )


def test_the_report_is_quoted_where_no_result_says_it() -> None:
    assert find_quotes(answered("You watched 12 videos.", POINTS)) == (
        "In week 2 you watched 12 videos, the class 20.",
    )


def test_an_answer_without_evidence_quotes_nothing_and_stays_as_it_is() -> None:
    thanks = answered("You are welcome.")
    assert add_quotes(thanks) is thanks


def test_quotes_are_few_stand_as_they_are_and_come_before_the_thought() -> None:
    every = answered(
        " ".join(f"In the quiz of week {week} you had {week + 1} of 10." for week in range(1, 6)), POINTS, NEEDS
    )
    last = add_quotes(every).steps[-1]
    assert isinstance(last, Answer) and last.thought.endswith("\nI know it.")
    assert 3 <= last.thought.count("> points: Quiz of week") <= MOST
    assert find_misquoted(every, last.thought) == ()
