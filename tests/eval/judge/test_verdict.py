"""What a reply decides, and what it does not."""

import pytest

from eval.judge.verdict import parse_verdict

LABEL = "FINAL DECISION"


@pytest.mark.parametrize(
    "last",
    [
        "FINAL DECISION: YES",
        "**FINAL DECISION: YES**",
        "### Final Decision: Yes.",
        "FINAL DECISION: **YES**",
        "`FINAL DECISION:YES`",
    ],
)
def test_emphasis_and_capitals_do_not_matter(last: str) -> None:
    found = parse_verdict(f"It answers the question.\n\n{last}\n", LABEL)
    assert found.verdict == "yes"
    assert found.reasoning == "It answers the question."


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty"),
        ("I would say yes.", "does not end"),
        ("Good.\nFINAL DECISION: YES or NO", "does not end"),
        ("Good.\nFINAL DECISION: MAYBE", "does not end"),
        ("Good.\nFINAL DECISION: YES\nOn second thought I am not sure.", "does not end"),
        ("Good.\n> FINAL DECISION: YES", "does not end"),
        ("Good.\nFINAL DECISION: YES\nNo, wait.\nFINAL DECISION: NO", "both"),
        ("FINAL DECISION: YES", "without reasoning"),
        ("Gut.\nFİNAL DECİSİON: YES", "does not end"),
    ],
)
def test_what_is_not_said_exactly_is_unparsed_and_never_no(reply: str, why: str) -> None:
    found = parse_verdict(reply, LABEL)
    assert found.verdict == "unparsed"
    assert why in found.why


def test_the_same_decision_twice_is_one() -> None:
    assert parse_verdict("So.\nFINAL DECISION: NO\nAs I said.\nFINAL DECISION: NO", LABEL).verdict == "no"


def test_thinking_aloud_before_the_reply_decides_nothing() -> None:
    assert parse_verdict("<think>FINAL DECISION: YES?</think>It is vague.\nFINAL DECISION: NO", LABEL).verdict == "no"
    assert parse_verdict("<think>Vague.</think>FINAL DECISION: NO", LABEL).verdict == "no"


def test_thinking_whose_opening_tag_the_server_kept_decides_nothing() -> None:
    found = parse_verdict("Perhaps\nFINAL DECISION: YES\n</think>\nIt is vague.\nFINAL DECISION: NO", LABEL)
    assert found.verdict == "no"
    assert "Perhaps" in found.reasoning


def test_thinking_without_an_end_is_no_reply() -> None:
    assert "never ends" in parse_verdict("<think>Let me see.\nFINAL DECISION: YES", LABEL).why


def test_reasoning_that_came_apart_counts_as_reasoning() -> None:
    found = parse_verdict("FINAL DECISION: NO", LABEL, thought="It is vague.")
    assert (found.verdict, found.reasoning) == ("no", "It is vague.")


def test_of_a_reply_that_was_cut_off_nothing_counts() -> None:
    assert parse_verdict("So.\nFINAL DECISION: YES", LABEL, cut_off=True).verdict == "unparsed"
