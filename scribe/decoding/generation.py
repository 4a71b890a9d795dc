"""A turn while a model in this process writes it: which token comes next, and when the turn is over."""

from collections.abc import Sequence

import numpy as np
from llguidance import LLTokenizer
from numpy.typing import NDArray

from scribe.backend import Finish, Sampling
from scribe.decoding.grammar import Guide
from scribe.decoding.turn import TurnText
from scribe.plumbing.errors import BackendError, ContextFull

ROOM = 64
"""Tokens that a prompt must leave free in the context; less is no turn."""

RUN = 4
"""Tokens from which what is known already is evaluated in one pass; fewer go one by one, which costs no more.

Kernels for one token and for several round differently. So a turn is the same alone and beside others only if its
tokens are evaluated in the same runs. Of every prompt at least so many tokens are read anew, for the same reason.
"""

ROUNDS, SHORTEST_CIRCLE, LONGEST_PERIOD = 3, 32, 40
"""A turn whose last so many tokens are the same few three times over will not end by itself; looked at now and then."""

LIKELY = 256
"""Tokens among which a nucleus is sought first."""

NO_NUMBERS = "the model's logits are not numbers; is its file, or the temperature, in order?"

Logits = NDArray[np.float32]


def measure_room(prompt: int, context: int) -> int:
    """Tokens that are left for a turn behind a prompt of so many. Raises ContextFull if that is too few."""
    left = context - prompt
    if left < ROOM:
        raise ContextFull(prompt, context)
    return left


class Generation:
    """Takes the logits behind a turn and says how it goes on, until it is over.

    longest: tokens after which the turn is cut off. `ids` are the turn's tokens so far, `finish` why it is over once
    it is.
    """

    def __init__(
        self,
        turn: TurnText,
        tokenizer: LLTokenizer,
        sampling: Sampling,
        guide: Guide | None,
        longest: int,
    ) -> None:
        self.turn = turn
        self.longest = longest
        self.ids: list[int] = []
        self.finish: Finish | None = None
        self._tokenizer = tokenizer
        self._sampling = sampling
        self._guide = guide
        self._random = np.random.default_rng(sampling.seed)

    def take(self, logits: Logits) -> list[int]:
        """The tokens that follow, to be evaluated next; none when the turn is over. logits: (vocabulary,).

        One is drawn. Behind it come those to which the grammar leaves no choice: a quarter of all, of a trained model.
        """
        tokens = [choose(logits, self._sampling, self._random, self._guide)]
        self.finish = "unsure" if self._guesses(tokens[0], logits) else self._after(tokens[0])
        for token in self._guide.forced() if self._guide is not None and not self.finish else ():
            tokens.append(token)
            if finish := self._after(token):
                self.finish = finish
                break
        return [] if self.finish else tokens

    def _guesses(self, token: int, logits: Logits) -> bool:
        """Whether the token is a digit that the model, free to write what it likes, is not certain enough of.

        Which line it quotes is its choice, and whatever the line holds is so.
        """
        if not self._sampling.certainty or self.turn.quotes:
            return False
        if not self._tokenizer.decode_bytes([token]).strip().isdigit():
            return False
        odds = np.exp(logits - logits[token]).sum(dtype=np.float64)
        return bool(odds > 1 / self._sampling.certainty)

    def _after(self, token: int) -> Finish | None:
        """Why the turn is over behind this token, if it is."""
        self.ids.append(token)
        if self._tokenizer.is_special_token(token):  # also the byte FF, which no text has
            return "stop"
        if finish := self.turn.push(self._tokenizer.decode_bytes([token])):
            return finish
        if self._guide is not None and not self._guide.accept(token):
            self._guide = None  # it has given up, and the loop checks the turn again anyway
        if is_circling(self.ids):
            return "circle"
        return "length" if len(self.ids) >= self.longest else None


def is_circling(ids: Sequence[int]) -> bool:
    """Whether a turn ends with the same tokens over and over: it would run to its limit."""
    if len(ids) % (SHORTEST_CIRCLE // 4):
        return False
    for period in range(1, min(LONGEST_PERIOD, len(ids) // ROUNDS) + 1):
        length = max(ROUNDS * period, SHORTEST_CIRCLE)
        last = ids[-length:]
        if len(last) == length and last[period:] == last[:-period]:
            return True
    return False


def draw(logits: Logits, sampling: Sampling, random: np.random.Generator) -> int:
    """A token id: the likeliest at temperature 0, else one of the nucleus `top_p`. Raises BackendError for NaN."""
    if sampling.temperature <= 0:
        likeliest = int(logits.argmax())
        if np.isnan(logits[likeliest]):  # one that is no number comes before all that are
            raise BackendError(NO_NUMBERS)
        return likeliest
    weights = np.exp((logits - logits.max()) / np.float32(sampling.temperature))
    kept = _nucleus(weights, sampling.top_p) if sampling.top_p < 1 else None
    mass = np.cumsum(weights if kept is None else weights[kept], dtype=np.float64)
    if not mass[-1] > 0:
        raise BackendError(NO_NUMBERS)
    at = int(np.searchsorted(mass, (1.0 - random.random()) * mass[-1]))  # of (0, all]: never one without weight
    return at if kept is None else int(kept[at])


def _nucleus(weights: Logits, top_p: float) -> NDArray[np.intp]:
    """The fewest tokens, likeliest first, that have this share of the weights (vocabulary,).

    Sorting a vocabulary of 128,000 takes 15 ms, while every other stream waits, so the likeliest are tried first.
    """
    total = weights.sum(dtype=np.float64)
    likely = np.argpartition(-weights, LIKELY)[:LIKELY] if len(weights) > LIKELY else np.arange(len(weights))
    for ids in (likely, np.arange(len(weights))):
        order = ids[np.argsort(-weights[ids], kind="stable")]
        mass = np.cumsum(weights[order], dtype=np.float64) / total
        if mass[-1] >= top_p or len(ids) == len(weights):
            break
    return order[: int(np.searchsorted(mass, top_p)) + 1]


def choose(logits: Logits, sampling: Sampling, random: np.random.Generator, guide: Guide | None) -> int:
    """Draw freely first: what the grammar allows needs no mask, and a trained model rarely needs one.

    Drawing again among the allowed after a refusal gives the same odds as masking in the first place, but not with
    `top_p`: what is not allowed would fill the nucleus.
    """
    if guide is None:
        return draw(logits, sampling, random)
    if sampling.temperature <= 0 or sampling.top_p >= 1:
        token = draw(logits, sampling, random)
        if guide.allows(token):
            return token
    return draw(guide.masked(logits), sampling, random)
