"""Copying from the prompt: where it points, how much that counts, and from whom nothing is copied."""

import numpy as np
import pytest

from scribe.backend import Sampling
from scribe.backends.copying import LEAST, Copier, copier
from scribe.errors import UsageError
from scribe.messages import OPENER, Message

SOURCE = [1, 2, 3, 4, 5, 1, 2, 3, 4, 6]


def after(turn: list[int], *sources: list[int]) -> int | None:
    follower = Copier(sources, 0.3)
    for token in turn:
        follower.push(token)
    return follower.following


@pytest.mark.parametrize(
    ("turn", "following"),
    [
        ([1, 2, 3], 4),  # both places go on alike
        ([2, 3, 4], None),  # one goes on with 5, the other with 6
        ([5, 1, 2, 3, 4], 6),  # the longer run decides
        ([3, 4][: LEAST - 1], None),  # too short a run
        ([9, 2, 3, 4, 5], 1),
        ([1, 2, 9, 3, 4], None),  # what is interrupted begins anew
        ([2, 3, 4, 6], None),  # the source ends here
    ],
)
def test_what_follows_in_the_source_behind_the_longest_repeated_run(turn: list[int], following: int | None) -> None:
    assert after(turn, SOURCE) == following


def test_a_run_does_not_go_on_from_one_source_into_the_next() -> None:
    assert after([1, 2, 3], [0, 1, 2], [3, 4]) is None
    assert after([7, 8, 9], [7, 8, 9], [1]) is None


def test_the_odds_are_a_mixture_of_the_models_and_the_pointers() -> None:
    follower = Copier([SOURCE], 0.3)
    for token in (1, 2, 3):
        follower.push(token)
    model = np.array([0.1, 0.1, 0.1, 0.1, 0.05, 0.5, 0.05], np.float32)
    mixed = np.exp(follower.mixed(np.log(model) + 3))  # logits may be shifted by any constant
    assert mixed == pytest.approx(0.7 * model + 0.3 * np.eye(7)[4], rel=1e-5)
    assert mixed.argmax() == 5  # the model is surer than the pointer counts
    unsure = np.array([0.2, 0.2, 0.2, 0.1, 0.05, 0.2, 0.05], np.float32)
    assert follower.mixed(np.log(unsure)).argmax() == 4


def test_the_model_decides_alone_where_nothing_is_repeated() -> None:
    logits = np.array([1.0, 2.0], np.float32)
    assert Copier([SOURCE], 0.3).mixed(logits) is logits


def test_people_and_tools_are_copied_and_neither_rules_nor_the_model() -> None:
    encoded: list[str] = []

    def encode(text: str, special: bool) -> list[int]:
        assert not special
        encoded.append(text)
        return [1]

    prompt = [
        Message("system", "Rules.\nReport: R", public=6),
        Message("user", "question"),
        Message("assistant", f"{OPENER} wrong"),
        Message("user", "[ERROR_NOTICE]Nothing supports “wrong”.[/ERROR_NOTICE]"),
        Message("tool", '{"says": "A result.", "try": "another"}'),
    ]
    assert copier(prompt, encode, 0.0) is None and encoded == []
    assert copier(prompt, encode, 0.3) is not None
    assert encoded == ["\nReport: R", "question", "{", "says", ": ", "A result.", ", ", "try", ": ", "another", "}"]


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(UsageError, match="share from 0 to below 1"):
        Sampling(copying=share)
