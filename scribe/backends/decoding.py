"""From a prompt to a turn, token by token, for every model that runs in this process.

A backend supplies a `Model`: how text becomes ids, and logits for ids behind what is already in its
cache. Everything else is here and therefore the same everywhere: reuse of the common prefix, drawing,
the constraint, stopping, streaming, cancelling.
"""

import threading
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from llguidance import LLTokenizer
from numpy.typing import NDArray

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.backends.constraint import Grammars, Guide
from scribe.backends.template import END_OF_TURN, token_ids
from scribe.backends.turn import Turn
from scribe.errors import ContextFull, ModelFileError
from scribe.messages import Message

ROOM = 64
"""Tokens that a prompt must leave free in the context; less is no turn."""

Logits = NDArray[np.float32]


class Model(Protocol):
    """A causal language model that holds one sequence in its cache."""

    @property
    def context(self) -> int:
        """The most tokens that fit."""
        ...

    def encode(self, text: str, special: bool) -> list[int]:
        """Ids without a BOS token; `special` says whether control tokens are recognised."""
        ...

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache."""
        ...


class Decoder:
    """A model, its tokenizer as llguidance sees it, and what the model's cache holds.

    Threads take turns; a second conversation in between costs the first its cache, not its correctness.
    """

    def __init__(self, model: Model, tokenizer: LLTokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._grammars = Grammars(tokenizer)
        self._cached: list[int] = []
        self._lock = threading.Lock()

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None,
        on_text: OnText | None,
    ) -> Completion:
        """See `scribe.backend.Backend.complete`."""
        ids = token_ids(prompt, self._model.encode)
        room = self._model.context - len(ids)
        if room < ROOM:
            raise ContextFull(len(ids), self._model.context)
        turn = Turn(on_text)
        with self._lock:
            guide = self._grammars.guide(constraint) if constraint is not None else None
            shared = _shared(self._cached, ids)
            self._cached, pending = ids[:shared], ids[shared:]
            finish, count = self._write(turn, pending, sampling, guide, min(sampling.max_tokens, room))
        return Completion(turn.text, finish, len(ids), shared, count)

    def _write(
        self, turn: Turn, pending: list[int], sampling: Sampling, guide: Guide | None, longest: int
    ) -> tuple[Finish, int]:
        """Write the turn behind the cache and what is pending; why it ended, and its number of tokens."""
        random = np.random.default_rng(sampling.seed)
        for count in range(1, longest + 1):
            token = _choose(self._evaluate(pending), sampling, random, guide)
            if self._tokenizer.is_special_token(token):  # also the byte FF, which no text has
                return "stop", count
            if finish := turn.push(self._tokenizer.decode_bytes([token])):
                return finish, count
            if guide is not None and not guide.accept(token):
                guide = None  # it has given up, and the loop checks the turn again anyway
            pending = [token]
        return "length", longest

    def _evaluate(self, pending: list[int]) -> Logits:
        """Logits behind cache and pending ids, which are then cached too; after a failure nothing is."""
        known, self._cached = self._cached, []
        logits = self._model.evaluate(len(known), pending)
        known += pending
        self._cached = known
        return logits


def require_template(model: Model, name: str) -> None:
    """Raise ModelFileError if the vocabulary has no control tokens of the Llama-3 chat format."""
    if len(model.encode(END_OF_TURN, True)) != 1:
        raise ModelFileError(f"{name} has no {END_OF_TURN} token; only models with Llama 3's chat format fit")


def draw(logits: Logits, sampling: Sampling, random: np.random.Generator) -> int:
    """A token id: the likeliest at temperature 0, else one of the nucleus `top_p`."""
    if sampling.temperature <= 0:
        return int(logits.argmax())
    scaled = (logits.astype(np.float64) - logits.max()) / sampling.temperature
    weights = np.exp(scaled)
    order = np.argsort(-weights, kind="stable")
    mass = np.cumsum(weights[order]) / weights.sum()
    kept = order[: int(np.searchsorted(mass, sampling.top_p)) + 1]
    return int(random.choice(kept, p=weights[kept] / weights[kept].sum()))


def _choose(logits: Logits, sampling: Sampling, random: np.random.Generator, guide: Guide | None) -> int:
    """Draw freely first: what the grammar allows needs no mask, and a trained model rarely needs one.

    Drawing again among the allowed after a refusal gives the same odds as masking in the first place.
    """
    token = draw(logits, sampling, random)
    if guide is None or guide.allows(token):
        return token
    return draw(guide.masked(logits), sampling, random)


def _shared(cached: Sequence[int], ids: Sequence[int]) -> int:
    """Length of the common prefix, but never all of `ids`: the last one gives the logits."""
    pairs = zip(cached, ids[:-1], strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(cached), len(ids) - 1))
