"""Drawing a token: the odds, and what has none."""

import numpy as np
import pytest
from llguidance import LLTokenizer

from scribe.backend import Sampling
from scribe.decoding.generation import SHORTEST_CIRCLE, Generation, draw, is_circling
from scribe.decoding.turn import TurnText
from scribe.plumbing.errors import BackendError
from tests.scribe.backends.tiny import make_tokenizer


def test_drawing_gives_each_token_its_odds() -> None:
    logits = np.log(np.array([0.5, 0.0001, 0.3, 0.15, 0.0499], np.float32))
    random = np.random.default_rng(1)
    for top_p, odds in (
        (1.0, [0.5, 0.0001, 0.3, 0.15, 0.0499]),
        (0.75, [0.625, 0, 0.375, 0, 0]),
        (0.1, [1, 0, 0, 0, 0]),
    ):
        drawn = [draw(logits, Sampling(1.0, top_p), random) for _ in range(20_000)]
        assert np.bincount(drawn, minlength=5) / 20_000 == pytest.approx(odds, abs=0.015)


def test_a_nucleus_of_many_tokens_is_as_right_as_one_of_few() -> None:
    logits = np.zeros(5000, np.float32)
    drawn = {draw(logits, Sampling(1.0, 0.5), np.random.default_rng(seed)) for seed in range(2000)}
    assert len(drawn) > 1000 and max(drawn) < 2501


def test_what_is_not_allowed_is_never_drawn() -> None:
    logits = np.full(300, -np.inf, np.float32)
    logits[[7, 299]] = 0.0
    for top_p in (0.3, 1.0):
        drawn = {draw(logits, Sampling(0.7, top_p), np.random.default_rng(seed)) for seed in range(50)}
        assert drawn <= {7, 299}


@pytest.mark.parametrize("circle", [[7], [1, 2], list(range(11)), list(range(40))])
def test_a_turn_that_runs_in_a_circle_is_seen_in_time(circle: list[int]) -> None:
    turn = [101, 102, 103, *circle * 100]
    seen = next(count for count in range(len(turn)) if is_circling(turn[:count]))
    assert seen <= 3 + max(SHORTEST_CIRCLE, 3 * len(circle)) + SHORTEST_CIRCLE // 4


def test_what_is_listed_or_said_twice_is_no_circle() -> None:
    lists = [token for number in range(60) for token in (5, 6, number + 10, 7)]
    twice = [*range(50), *range(50)]
    assert not any(is_circling(turn[:count]) for turn in (lists, twice) for count in range(len(turn)))


@pytest.mark.parametrize(("likelier", "finish"), [(0.0, None), (3.0, "unsure")])
@pytest.mark.parametrize("text", ["7", "a"])
def test_a_turn_ends_before_a_digit_that_is_a_guess(text: str, likelier: float, finish: str | None) -> None:
    token, other = (make_tokenizer().encode(one).ids[0] for one in (text, "b"))
    logits = np.full(make_tokenizer().get_vocab_size(), -50.0, np.float32)
    logits[token] = 1.0
    logits[other] = 1.0 - 5.0 + likelier * 5.0 / 3.0  # as likely as the digit, or much less
    tokenizer = LLTokenizer(make_tokenizer().to_str())
    writing = Generation(TurnText(None), tokenizer, Sampling(certainty=0.6), None, 9)
    assert writing.take(logits) == ([] if finish and text == "7" else [token])
    assert writing.finish == (finish if text == "7" else None)
    assert writing.turn.text == ("" if finish and text == "7" else text)


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_a_model_whose_weights_are_no_numbers_is_not_listened_to(temperature: float) -> None:
    for at in (0, 4):
        logits = np.arange(5, dtype=np.float32)
        logits[at] = np.nan
        with pytest.raises(BackendError, match="not numbers"):
            draw(logits, Sampling(temperature), np.random.default_rng(1))
