"""From a prompt to a turn, token by token, for every model that runs in this process.

A backend supplies a `Model`: how text becomes ids, and logits for ids behind what is already in its
cache. Everything else is here and therefore the same everywhere: reuse of the common prefix, drawing,
the constraint, stopping, streaming, cancelling.
"""

import codecs
import threading
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from llguidance import LLTokenizer
from numpy.typing import NDArray

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.backends.constraint import Grammars, Guide
from scribe.backends.template import END_OF_TURN, token_ids
from scribe.errors import ContextFull, ModelFileError
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_TOOL_CALL, Message

ENDS = (END_OF_TOOL_CALL, END_OF_FINAL_ANSWER)
"""A turn is over right after one of these."""

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


class Turn:
    """The text of a turn while it is written: whole characters only, up to the first end marker."""

    def __init__(self, on_text: OnText | None) -> None:
        self.text = ""
        self._on_text = on_text
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def push(self, data: bytes) -> Finish | None:
        """Take the bytes of the next token. Says why the turn is over, if it is."""
        return self.add(self._decode(data))

    def add(self, piece: str) -> Finish | None:
        """Take the next characters. Says why the turn is over, if it is."""
        start = max(0, len(self.text) - max(map(len, ENDS)))
        text = self.text + piece
        ends = [at + len(end) for end in ENDS if (at := text.find(end, start)) >= 0]
        new = text[len(self.text) : min(ends, default=len(text))]
        self.text += new
        if new and self._on_text is not None and self._on_text(new) is False:
            return "cancelled"
        return "stop" if ends else None


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
            finish, count = self._write(turn, ids, sampling, guide, min(sampling.max_tokens, room))
        return Completion(turn.text, finish, len(ids), shared, count)

    def _write(
        self, turn: Turn, ids: list[int], sampling: Sampling, guide: Guide | None, longest: int
    ) -> tuple[Finish, int]:
        """Write the turn behind the prompt; why it ended, and its number of tokens."""
        random = np.random.default_rng(sampling.seed)
        sequence = list(ids)
        for count in range(1, longest + 1):
            token = _choose(self._evaluate(sequence), sampling, random, guide)
            if self._tokenizer.is_special_token(token):
                return "stop", count
            if finish := turn.push(self._tokenizer.decode_bytes([token])):
                return finish, count
            if guide is not None and not guide.accept(token):
                guide = None  # it has given up, and the loop checks the turn again anyway
            sequence.append(token)
        return "length", longest

    def _evaluate(self, sequence: list[int]) -> Logits:
        """Logits behind the sequence, of which only what is not cached is computed."""
        keep = _shared(self._cached, sequence)
        self._cached = self._cached[:keep]  # whatever fails below, the rest is no longer to be relied on
        logits = self._model.evaluate(keep, sequence[keep:])
        self._cached = list(sequence)
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
