"""From a prompt to a turn for models that hold one sequence and answer one prompt at a time (transformers).

A backend supplies a `Model`: logits for ids behind what is already in its cache. Reuse of the common prefix is
here; drawing, the constraint, stopping and streaming are shared with the engine (`generation`, `turn`).
"""

import threading
from collections.abc import Sequence
from typing import Protocol

from llguidance import LLTokenizer

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.generation import RUN, Generation, Logits, measure_room
from scribe.decoding.grammar import Grammars
from scribe.decoding.turn import TurnText
from scribe.messages import Message


class Model(Protocol):
    """A causal language model that holds one sequence in its cache."""

    @property
    def context(self) -> int:
        """The most tokens that fit."""
        ...

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache."""
        ...


class Decoder:
    """A model, its tokenizer, the same as llguidance sees it, and what the model's cache holds.

    Threads take turns; a second conversation in between costs the first its cache, not its correctness.
    """

    def __init__(self, model: Model, chat: ChatTokenizer, tokenizer: LLTokenizer) -> None:
        self._model = model
        self._chat = chat
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
        ids = self._chat.prompt_ids(prompt)
        left = measure_room(len(ids), self._model.context)
        with self._lock:
            guide = self._grammars.guide(constraint) if constraint is not None else None
            longest = min(sampling.max_tokens, left)
            generation = Generation(TurnText(on_text), self._tokenizer, sampling, guide, longest)
            shared = _count_shared(self._cached, ids)
            self._cached, pending = ids[:shared], ids[shared:]
            self._write(generation, pending)
        wrote = tuple(generation.ids)
        finish = generation.finish or "length"
        return Completion(generation.turn.text, finish, len(ids), shared, len(wrote), token_ids=wrote)

    def _write(self, generation: Generation, pending: list[int]) -> None:
        """Write the turn behind the cache and what is pending."""
        while following := generation.take(self._evaluate(pending)):
            *before, pending = [following] if len(following) >= RUN else [[token] for token in following]
            for run in before:
                self._evaluate(run)

    def _evaluate(self, pending: list[int]) -> Logits:
        """Logits behind cache and pending ids, which are then cached too; after a failure nothing is."""
        known, self._cached = self._cached, []
        logits = self._model.evaluate(len(known), pending)
        known += pending
        self._cached = known
        return logits


def _count_shared(cached: Sequence[int], ids: Sequence[int]) -> int:
    """Length of the common prefix, but without the last `RUN` of `ids`."""
    most = max(0, min(len(cached), len(ids) - RUN))
    return next((at for at in range(most) if cached[at] != ids[at]), most)
