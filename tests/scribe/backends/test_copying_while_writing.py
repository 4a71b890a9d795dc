"""Copying while a turn is written: all its tokens are followed, those that nobody drew included."""

from dataclasses import dataclass

import numpy as np
from llguidance import LLTokenizer

from scribe.backend import Sampling
from scribe.backends.copying import Copier
from scribe.backends.turn import Turn
from scribe.backends.writing import Writing
from tests.scribe.backends.tiny import make_tokenizer


@dataclass
class ScriptedGuide:
    """Allows everything; leaves no choice for the tokens that are given, once."""

    dictated: list[int]

    def allows(self, token: int) -> bool:
        return True

    def forced(self) -> list[int]:
        forced, self.dictated = self.dictated, []
        return forced

    def accept(self, token: int) -> bool:
        return True


def test_tokens_that_the_grammar_dictates_are_followed_too() -> None:
    one, two, three, four, other = make_tokenizer().encode("zqxjk").ids
    tokenizer = LLTokenizer(make_tokenizer().to_str(), n_vocab=600, eos_token=3)
    copier, guide = Copier([[one, two, three, four]], 0.3), ScriptedGuide([two, three])
    writing = Writing(Turn(None), tokenizer, Sampling(), guide, 10, copier)
    logits = np.zeros(600, np.float32)
    logits[one] = 1.0
    assert writing.take(logits) == [one, two, three]
    logits[other] = 2.0
    assert writing.take(logits) == [four]
