"""The reward of turns, by equations 1 and 2."""

import pytest

from finetune.verifier.reward import reward_dialogue, reward_turns


@pytest.mark.parametrize("turns", range(13))
def test_of_a_success_the_reward_is_the_share_of_turns_done(turns: int) -> None:
    assert reward_dialogue(True, turns) == pytest.approx([turn / turns for turn in range(1, turns + 1)])


@pytest.mark.parametrize("turns", range(13))
def test_of_a_failure_it_is_nothing(turns: int) -> None:
    assert reward_dialogue(False, turns) == (0.0,) * turns


def test_turns_that_differ_follow_the_equations() -> None:
    # T = 3: w_1 = 1/3; w_2 = -(1 - 1/3) / 2 = -1/3; w_3 = (1 - 0) / 1 = 1.
    assert reward_turns([True, False, True]) == pytest.approx([1 / 3, 0.0, 1.0])
    # The last turn alone can undo all: w_2 = -(1 - 1/2) / 1.
    assert reward_turns([True, False]) == pytest.approx([0.5, 0.0])


def test_a_reward_stays_between_nothing_and_all() -> None:
    for number in range(2**7):
        values = reward_turns([bool(number >> place & 1) for place in range(7)])
        assert all(0.0 <= value <= 1.0 + 1e-12 for value in values)
