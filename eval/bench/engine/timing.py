"""A backend that passes everything on and tells when what of a turn came."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.messages import Message


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """One call of a model. began, pieces: `time.perf_counter()` at its beginning and at each piece of its text."""

    prompt: tuple[Message, ...]
    completion: Completion
    began: float
    pieces: tuple[float, ...]

    @property
    def evaluated(self) -> int:
        """Tokens of the prompt that were not in a cache."""
        return self.completion.prompt_tokens - self.completion.cached_tokens


@dataclass(frozen=True, slots=True)
class TimedBackend:
    """A model with a listener. note: gets each turn when it is over, in the thread that asked."""

    backend: Backend
    note: Callable[[TimedTurn], None]

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        began, pieces = time.perf_counter(), list[float]()

        def hear(piece: str) -> bool | None:
            if piece:  # an empty one only asks whether to go on
                pieces.append(time.perf_counter())
            return on_text(piece) if on_text is not None else None

        completion = self.backend.complete(prompt, sampling, constraint, hear, owner)
        self.note(TimedTurn(tuple(prompt), completion, began, tuple(pieces)))
        return completion


@dataclass(slots=True)
class FirstWords:
    """Listens to an answer and remembers when its first words came."""

    at: float | None = None

    def __call__(self, text: str) -> None:
        self.at = self.at or time.perf_counter()

    def since(self, began: float) -> float | None:
        """Seconds from a `time.perf_counter()` on; None if there were no words."""
        return None if self.at is None else self.at - began


def count_distinct(prompts: Iterable[Sequence[int]]) -> int:
    """Nodes of the prefix tree of prompts, as token ids: what somebody has to read at least once."""
    names: dict[tuple[int, int], int] = {}
    for prompt in prompts:
        at = 0
        for token in prompt:
            at = names.setdefault((at, token), len(names) + 1)
    return len(names)
