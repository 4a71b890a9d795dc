"""Cohen's kappa, its interval, and what it depends on."""

import math

import pytest

from eval.agreement.raters import measure_agreement


def pairs(both: int, one: int, other: int, neither: int) -> list[tuple[bool, bool]]:
    """So many things to which both, only one, only the other, or neither said yes."""
    return [(True, True)] * both + [(True, False)] * one + [(False, True)] * other + [(False, False)] * neither


def test_kappa_is_as_in_the_textbook() -> None:
    seen = measure_agreement(pairs(20, 5, 10, 15))
    assert (seen.kappa, seen.agreed.value) == pytest.approx((0.4, 0.7))
    assert (seen.one.value, seen.other.value, seen.constant) == pytest.approx((0.5, 0.6, 0.5))


def test_the_interval_holds_kappa_and_grows_with_fewer_things() -> None:
    many, few = measure_agreement(pairs(80, 10, 10, 80)), measure_agreement(pairs(8, 1, 1, 8))
    assert many.interval is not None
    assert few.interval is not None
    assert few.interval.low < many.interval.low < many.kappa < many.interval.high < few.interval.high


def test_whole_agreement_of_few_is_not_certain() -> None:
    seen = measure_agreement(pairs(10, 0, 0, 10))
    assert seen.kappa == 1
    assert seen.interval is not None
    assert 0.5 < seen.interval.low < 0.8
    assert seen.interval.high == pytest.approx(1)


@pytest.mark.parametrize("same", [pairs(60, 0, 0, 0), pairs(0, 0, 0, 60), []])
def test_kappa_is_undefined_where_all_is_yes_or_all_is_no(same: list[tuple[bool | None, bool | None]]) -> None:
    seen = measure_agreement(same)
    assert math.isnan(seen.kappa)
    assert seen.interval is None


def test_rare_noes_make_kappa_low_though_raw_agreement_is_high() -> None:
    seen = measure_agreement(pairs(90, 5, 5, 0))
    assert seen.agreed.value == 0.9
    assert seen.kappa < 0
    assert seen.constant > seen.agreed.value


def test_what_one_did_not_say_is_missing_and_no_disagreement() -> None:
    seen = measure_agreement([*pairs(5, 0, 0, 5), (True, None), (None, False)])
    assert (seen.agreed.of, seen.agreed.missing, seen.kappa) == (10, 2, 1)
