"""Judges beside people: who is compared with whom, on what, and Cohen's kappa."""

import math

import pytest

from eval.agreement.raters import OVERALL, TOGETHER, RaterPair, compare_raters, measure_agreement
from eval.agreement.ratings import RatedAnswer, Repeats, count_flips, group_by_judge, group_by_person, name_answer
from eval.agreement.tables import make_table, to_numbers
from eval.judge.judgement import Judgement, Label
from scribe.plumbing.errors import UsageError
from tests.eval.agreement.files import judgement, label

TRUTH = {f"q{number}": number % 3 > 0 for number in range(12)}


def compared(labels: list[Label], judgements: list[Judgement]) -> dict[tuple[str, str, str], RaterPair]:
    judges = group_by_judge(judgements)
    found = compare_raters(group_by_person(labels), judges)
    return {(pair.criterion, pair.one, pair.other): pair for pair in found}


def judged(flipped: dict[int, tuple[str, ...]]) -> list[Judgement]:
    """The truth, but for these answers in this repeat."""
    return [
        judgement(answer, "yes" if truth != (answer in wrong) else "no", repeat)
        for repeat, wrong in flipped.items()
        for answer, truth in TRUTH.items()
    ]


def labelled(person: str, wrong: tuple[str, ...] = ()) -> list[Label]:
    return [label(f"tuned#{answer}", truth != (answer in wrong), person) for answer, truth in TRUTH.items()]


def test_people_stand_beside_each_other_and_beside_the_judge() -> None:
    found = compared([*labelled("ana"), *labelled("ben", ("q1",))], judged({0: ("q2",)}))
    assert found["relevance", "ana", "ben"].human
    assert found["relevance", "ana", "ben"].agreement.agreed.yes == 11
    assert found["relevance", "ana", "gpt"].agreement.agreed.yes == 11
    assert found["relevance", "ben", "gpt"].agreement.agreed.yes == 10
    assert found["relevance", TOGETHER, "gpt"].agreement.agreed.of == 11
    assert found[OVERALL, "ana", "gpt"].agreement == found["relevance", "ana", "gpt"].agreement


def test_repeats_are_settled_by_most_and_spread_is_of_each_alone() -> None:
    found = compared(labelled("ana"), judged({0: (), 1: ("q1",), 2: ("q1", "q2"), 3: (), 4: ()}))
    pair = found["relevance", "ana", "gpt"]
    assert pair.agreement.kappa == 1
    assert pair.spread is not None
    assert pair.spread.count == 5
    assert 0.8 < pair.spread.mean < 1
    assert pair.spread.deviation > 0
    assert pair.flips is not None
    assert (pair.flips.yes, pair.flips.of) == (2, 12)


def test_what_could_not_be_read_is_missing_and_never_no() -> None:
    unread = [judgement(answer, "unparsed") for answer in TRUTH]
    pair = compared(labelled("ana"), unread)["relevance", "ana", "gpt"]
    assert (pair.agreement.agreed.of, pair.agreement.agreed.missing) == (0, 12)
    assert math.isnan(pair.agreement.kappa)
    assert pair.spread is None


def test_as_many_yes_as_no_is_no_verdict() -> None:
    assert Repeats({0: True, 1: False}).settled is None
    assert Repeats({0: True, 1: False, 2: None, 3: True}).settled is True
    assert count_flips([Repeats({0: True, 1: False}), Repeats({0: True, 1: None})]).missing == 1


def test_a_repeat_that_was_judged_anew_counts_once() -> None:
    found = group_by_judge([judgement("q1", "no"), judgement("q1", "yes")])
    assert found["gpt"][RatedAnswer("tuned", "q1", "relevance", "0a")].verdicts == {0: True}


def test_a_later_label_of_the_same_person_stands() -> None:
    found = group_by_person([label("tuned#q1", False), label("tuned#q1", True)])
    assert found == {"ana": {RatedAnswer("tuned", "q1", "relevance", "0a"): True}}


def test_a_label_that_names_no_run_is_refused_with_how_to_write_it() -> None:
    with pytest.raises(UsageError, match="RUN#q1"):
        group_by_person([Label("ana", "q1", "relevance", True, "0a")])


def test_the_same_question_of_two_runs_is_two_answers() -> None:
    labels = [label(name_answer("tuned", "q1"), True), label(name_answer("base", "q1"), False)]
    found = compared(labels, [judgement("q1", "yes"), judgement("q1", "no", run="base")])
    assert found["relevance", "ana", "gpt"].agreement.kappa == 1


def test_the_checks_without_a_model_are_named_as_no_judge() -> None:
    found = compared(labelled("ana"), [judgement(answer, "yes", judge="local") for answer in TRUTH])
    told = make_table([*found.values()]).markdown()
    assert "local (no model)" in told
    assert "not the judge of the rubrics" in told


def test_the_table_says_that_what_people_agree_on_is_easier() -> None:
    found = compared([*labelled("ana"), *labelled("ben", ("q1",))], judged({0: ()}))
    assert "looks better there" in make_table([*found.values()]).markdown()


def test_the_table_says_what_is_not_to_be_had() -> None:
    found = compared(labelled("ana"), [judgement("q1", "yes")])
    assert "| – |" in make_table([*found.values()]).markdown()
    assert to_numbers(found["relevance", "ana", "gpt"])["kappa"] is None


def rate(both: int, one: int, other: int, neither: int) -> list[tuple[bool, bool]]:
    """So many things to which both, only one, only the other, or neither said yes."""
    return [(True, True)] * both + [(True, False)] * one + [(False, True)] * other + [(False, False)] * neither


def test_kappa_is_as_in_the_textbook() -> None:
    seen = measure_agreement(rate(20, 5, 10, 15))
    assert (seen.kappa, seen.agreed.value) == pytest.approx((0.4, 0.7))
    assert (seen.one.value, seen.other.value, seen.constant) == pytest.approx((0.5, 0.6, 0.5))


def test_the_interval_holds_kappa_and_grows_with_fewer_things() -> None:
    many, few = measure_agreement(rate(80, 10, 10, 80)), measure_agreement(rate(8, 1, 1, 8))
    assert many.interval is not None
    assert few.interval is not None
    assert few.interval.low < many.interval.low < many.kappa < many.interval.high < few.interval.high


def test_whole_agreement_of_few_is_not_certain() -> None:
    seen = measure_agreement(rate(10, 0, 0, 10))
    assert seen.kappa == 1
    assert seen.interval is not None
    assert 0.5 < seen.interval.low < 0.8
    assert seen.interval.high == pytest.approx(1)


@pytest.mark.parametrize("same", [rate(60, 0, 0, 0), rate(0, 0, 0, 60), []])
def test_kappa_is_undefined_where_all_is_yes_or_all_is_no(same: list[tuple[bool | None, bool | None]]) -> None:
    seen = measure_agreement(same)
    assert math.isnan(seen.kappa)
    assert seen.interval is None


def test_rare_noes_make_kappa_low_though_raw_agreement_is_high() -> None:
    seen = measure_agreement(rate(90, 5, 5, 0))
    assert seen.agreed.value == 0.9
    assert seen.kappa < 0
    assert seen.constant > seen.agreed.value


def test_what_one_did_not_say_is_missing_and_no_disagreement() -> None:
    seen = measure_agreement([*rate(5, 0, 0, 5), (True, None), (None, False)])
    assert (seen.agreed.of, seen.agreed.missing, seen.kappa) == (10, 2, 1)
