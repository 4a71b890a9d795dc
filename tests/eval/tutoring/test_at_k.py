"""Recall@k and Pass@k against what can be counted by hand."""

from itertools import combinations
from statistics import mean

import pytest

from eval.tutoring.metrics.at_k import (
    average_pass,
    average_recall,
    estimate_pass,
    estimate_recall,
    take_first_recall,
)

PASSED = [False, True, False, False, True, False]
RECALLS = [0.25, 0.5, 0.5, 1.0, 0.0, 0.75]


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_both_are_means_over_all_choices_of_k_programs(k: int) -> None:
    assert estimate_pass(PASSED, k) == pytest.approx(mean(any(chosen) for chosen in combinations(PASSED, k)))
    assert estimate_recall(RECALLS, k) == pytest.approx(mean(max(chosen) for chosen in combinations(RECALLS, k)))


def test_the_first_k_depend_on_the_order_and_all_programs_do_not() -> None:
    assert take_first_recall(RECALLS, 3) == 0.5
    assert take_first_recall(RECALLS[::-1], 3) == 1.0
    assert estimate_recall(RECALLS, 3) == estimate_recall(RECALLS[::-1], 3)


def test_the_average_leaves_out_a_k_beyond_the_programs() -> None:
    assert average_pass(PASSED) == pytest.approx(mean(estimate_pass(PASSED, k) for k in (1, 3, 5)))
    assert average_recall([0.5]) == 0.5


def test_no_programs_or_too_few_are_refused() -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        estimate_pass(PASSED, 7)
    with pytest.raises(ValueError, match="not 0"):
        estimate_recall(RECALLS, 0)
