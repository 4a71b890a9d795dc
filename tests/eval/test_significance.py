"""Shares and tests against worked examples of textbooks and papers."""

import math

import pytest

from eval.significance import Share, adjust_holm, compare_pairs, compare_shares, count_share
from scribe.plumbing.errors import UsageError


@pytest.mark.parametrize(
    ("yes", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_as_newcombe_prints_it(yes: int, of: int, low: float, high: float) -> None:
    found = Share(yes, of).interval()
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_what_is_missing_counts_for_neither_side() -> None:
    seen = count_share([True, None, False, True, None])
    assert (seen.yes, seen.no, seen.of, seen.missing) == (2, 1, 3, 2)
    assert seen.error == pytest.approx(math.sqrt(2 / 3 / 3 / 3))


def test_nothing_has_no_share_and_any_share_is_possible() -> None:
    nothing = count_share([])
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.error)
    assert (nothing.interval().low, nothing.interval().high) == (0, 1)


@pytest.mark.parametrize("counts", [(3, 2), (-1, 2), (0, 0, -1)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="are no counts"):
        Share(*counts)


def test_the_lady_tasting_tea_has_guessed_three_of_four() -> None:
    found = compare_shares(Share(3, 4), Share(1, 4))
    assert (found.odds_ratio, found.p) == pytest.approx((9, 34 / 70))
    assert found.interval.low < 1 < found.interval.high


def test_the_odds_ratio_has_the_interval_of_fishers_own_test() -> None:
    found = compare_shares(Share(3, 4), Share(1, 4))
    for odds, tail in ((found.interval.low, (3, 4)), (found.interval.high, (0, 1, 2, 3))):
        weights = [math.comb(4, cups) ** 2 * odds**cups for cups in range(5)]
        assert sum(weights[cups] for cups in tail) / sum(weights) == pytest.approx(0.025)


def test_the_interval_of_an_infinite_odds_ratio_has_no_upper_end() -> None:
    found = compare_shares(Share(6, 6), Share(3, 6))
    assert found.odds_ratio == found.interval.high == math.inf
    assert 0 < found.interval.low < 1


@pytest.mark.parametrize(("one", "other"), [(Share(0, 0), Share(3, 4)), (Share(4, 4), Share(4, 4))])
def test_where_there_is_nothing_to_compare_nothing_is_significant(one: Share, other: Share) -> None:
    found = compare_shares(one, other)
    assert math.isnan(found.odds_ratio)
    assert found.p == 1


def test_mcnemar_asks_only_of_questions_on_which_the_runs_differ() -> None:
    pairs = [(True, False)] * 9 + [(False, True)] * 2 + [(True, True)] * 50 + [(None, True), (False, None)]
    found = compare_pairs(pairs)
    assert (found.of, found.missing, found.only_one, found.only_other) == (61, 2, 9, 2)
    assert found.p == pytest.approx(2 * (1 + 11 + 55) / 2**11)
    assert found.difference == pytest.approx(7 / 61)
    assert found.interval.low < found.difference < found.interval.high


def test_mcnemar_of_nothing_claims_nothing() -> None:
    found = compare_pairs([(None, True)])
    assert (found.of, found.p) == (0, 1)
    assert (found.interval.low, found.interval.high) == (-1, 1)


def test_holm_never_puts_a_larger_p_before_a_smaller_one() -> None:
    assert adjust_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_holm([]) == ()
