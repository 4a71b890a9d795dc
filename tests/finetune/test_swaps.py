"""Swapped words: other words and numbers at all their places, so that every token is copied now and then."""

from collections.abc import Sequence

import numpy as np
import pytest

from finetune.examples import Group, Tail
from finetune.pretrain import Recipe, batches, first_turn
from finetune.swaps import Swaps

WORDS = ("alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "theta")
TOKENS = (
    *("Ġ", "Ġweek", "Ġsemaine", "S", "ĠS", '":', "Ġthe", "<|eot_id|>", "re", "ceiver", "Ġreceiver", "'", "."),
    *WORDS,
    *(f"Ġ{word}" for word in WORDS),
    *(f"Ġ{word.title()}" for word in WORDS),
    *(str(number) for number in range(1000)),
)
VOCABULARY = {token: i for i, token in enumerate(TOKENS)}
COMMON = ("Ġthe", "Ġweek", "Ġsemaine", "S", "ĠS")


def tail(read: Sequence[str], written: Sequence[str]) -> Tail:
    ids = np.array([VOCABULARY[token] for token in (*read, *written)], np.int32)
    return Tail(ids, np.array([0.1] * len(read) + [1.0] * len(written), np.float32))


def names(given: Tail) -> list[str]:
    return [TOKENS[i] for i in given.ids]


@pytest.fixture(scope="module")
def swaps() -> Swaps:
    return Swaps([tail(COMMON, ()) for _ in range(100)], VOCABULARY)


def drawn(swaps: Swaps, given: Tail, times: int = 300) -> list[list[str]]:
    """The tail's tokens after many draws."""
    random = np.random.default_rng(0)
    return [names(swaps(given, random)) for _ in range(times)]


def test_a_copied_word_becomes_the_same_other_word_at_all_its_places(swaps: Swaps) -> None:
    rows = drawn(swaps, tail(["Ġthe", "Ġalpha", "Ġbeta", "Ġalpha"], ["Ġbeta", "Ġthe", "Ġalpha"]))
    assert all(row[1] == row[3] == row[6] and row[2] == row[4] != row[1] for row in rows)
    assert all(row[0] == row[5] == "Ġthe" for row in rows)
    assert {row[1] for row in rows} >= {f"Ġ{word}" for word in WORDS if word != "beta"}
    assert 0.1 < np.mean([row[1] != "Ġalpha" for row in rows]) < 0.25


def test_words_become_words_of_their_kind_and_numbers_as_long_ones(swaps: Swaps) -> None:
    copied = ["Ġalpha", "beta", "ĠGamma", "Ġ", "124", ".", "35", "Ġ", "12"]
    rows = drawn(swaps, tail(copied, copied))
    assert all(row[0][0] == "Ġ" and row[0][1:].islower() and row[1].islower() for row in rows)
    assert all(row[1][0] != "Ġ" and row[2][0] == "Ġ" and row[2][1:].istitle() for row in rows)
    assert all(int(row[4]) >= 100 and 16 <= int(row[6]) <= 99 for row in rows)
    assert all(len({row[place] for row in rows}) > 3 for place in (0, 1, 2, 4, 6))
    assert all(row[8] == "12" and row[5] == "." and row[:9] == row[9:] for row in rows)


def test_a_number_of_a_week_stays_everywhere(swaps: Swaps) -> None:
    for week in (["Ġweek", "Ġ", "35"], ["Ġsemaine", "35"], ["ĠS", "35"], ["S", "35"]):
        rows = drawn(swaps, tail([*week, "Ġ", "124"], ["35", "124"]), 100)
        assert all(row[len(week) - 1] == row[-2] == "35" for row in rows)
        assert any(row[-1] != "124" for row in rows)


def test_a_word_behind_a_space_and_behind_a_quote_stays_one_word(swaps: Swaps) -> None:
    rows = drawn(swaps, tail(["Ġalpha"], ["alpha", "Ġalpha"]))
    assert all(row == [f"Ġ{row[1]}", row[1], f"Ġ{row[1]}"] for row in rows)
    assert len({row[1] for row in rows}) > 3


def test_a_word_in_other_pieces_behind_a_quote_or_with_a_capital_stays(swaps: Swaps) -> None:
    assert len({*map(tuple, drawn(swaps, tail(["Ġreceiver"], ["Ġreceiver", "Ġthe", "'", "re", "ceiver"])))}) == 1
    assert len({*map(tuple, drawn(swaps, tail(["Ġalpha"], ["Ġalpha", "ĠAlpha"])))}) == 1
    assert len({*map(tuple, drawn(swaps, tail(["Ġreceiver"], ["Ġreceiver"])))}) > 3


def test_a_word_is_replaced_beside_its_frequent_other_spelling_within_another_word() -> None:
    swaps = Swaps([tail(["Ġalpha"], [])], VOCABULARY)
    rows = drawn(swaps, tail(["Ġalpha", "Ġbeta", "alpha"], ["Ġbeta", "alpha", "Ġalpha", "ceiver"]))
    assert all(row[0] == row[5] == "Ġalpha" and row[2] == row[4] and row[1] == row[3] for row in rows)
    assert len({row[2] for row in rows}) > 3


def test_a_replacement_is_new_to_the_tail(swaps: Swaps) -> None:
    kept = [f"Ġ{word}" for word in WORDS[:6]]
    rows = drawn(swaps, tail([*kept[1:], "Ġalpha"], ["Ġalpha"]))
    assert {row[-1] for row in rows} == {"Ġalpha", "Ġkappa", "Ġtheta", "Ġreceiver"}


def test_nothing_changes_where_nothing_is_copied(swaps: Swaps) -> None:
    for given in (tail(["Ġalpha", "35"], ["Ġbeta"]), tail(["Ġalpha"], []), tail(["Ġthe"], ["Ġthe"]), tail([], [])):
        assert all(row == names(given) for row in drawn(swaps, given, 50))
    late = Tail(tail(["Ġalpha", "Ġalpha"], []).ids, np.array([1.0, 0.1], np.float32))
    assert all(row == names(late) for row in drawn(swaps, late, 50))


def test_the_given_tail_and_its_weights_stay_and_a_draw_can_be_repeated(swaps: Swaps) -> None:
    given = tail(["Ġalpha", "124"], ["Ġalpha", "124"])
    ids, weights = given.ids.copy(), given.weights.copy()
    for seed in range(30):
        first, second = (swaps(given, np.random.default_rng(seed)) for _ in range(2))
        assert first.ids.dtype == np.int32 and np.array_equal(first.ids, second.ids)
        assert np.array_equal(first.weights, weights) and np.array_equal(given.ids, ids)


def test_a_resumed_run_sees_the_same_changed_batches(swaps: Swaps) -> None:
    one = tail(["Ġalpha", "Ġbeta", "124"], ["Ġbeta", "124", "Ġalpha"])
    groups = [Group(one.ids, 1, (one,) * 8) for _ in range(3)]
    whole, later = batches(groups, Recipe(), swaps), batches(groups, Recipe(), swaps, done=7)
    made = [next(whole).tails.tolist() for _ in range(30)]
    assert [next(later).tails.tolist() for _ in range(23)] == made[7:]
    assert len({str(row) for rows in made for row in rows}) > 20


def test_first_turns_are_changed_by_what_is_copied_within_them(swaps: Swaps) -> None:
    weights = np.array([0.1, 0.1, 1.0, 0.1, 1.0], np.float32)
    one = Tail(tail(["Ġalpha", "124", "Ġalpha", "Ġthe", "124"], []).ids, weights)
    rows = drawn(swaps, first_turn(one))
    assert {row[1] for row in rows} == {"124"} and len({row[0] for row in rows}) > 3
