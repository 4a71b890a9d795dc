"""A context that evaluates nothing but notices every mistake: what it says depends on all that its sequence holds."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scribe.decoding.generation import Logits
from scribe.gguf.context import BatchPart
from scribe.gguf.file import BATCH
from scribe.gguf.kv_state import KvLayout, KvState
from scribe.plumbing.errors import BackendError

SIZE = 600
LAYOUT = KvLayout(7, 1, bytes(4) + (4).to_bytes(8, "little"), bytes(4) + (4).to_bytes(4, "little") + b"\1\0\0\0")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def state_of(ids: Sequence[int]) -> KvState:
    """A state that is the tokens themselves."""
    data = np.array(ids, "<i4").view(np.uint8)
    return KvState(LAYOUT, data.reshape(1, -1, 4), data.reshape(1, 1, -1, 4))


def ids_of(state: KvState) -> list[int]:
    """The tokens of such a state, which its keys and its values must agree on."""
    assert (state.keys[0] == state.values[0, 0]).all()
    return [int(token) for token in np.ascontiguousarray(state.keys[0]).view("<i4")[:, 0]]


@dataclass
class ScriptedContext:
    """`letter` maps 0..25 to a token that is a letter. failing: a step with this token in it fails, as llama.cpp might.

    loads_that_fail: how many of the next loads find no memory. gate: if given, every step waits until it is released
    once. steps: the pieces of each step.
    """

    sequences: int
    letters: Sequence[int]
    failing: int = -1
    loads_that_fail: int = 0
    gate: threading.Semaphore | None = None
    steps: list[list[BatchPart]] = field(default_factory=list)
    held: dict[int, list[int]] = field(default_factory=dict)
    loads: list[list[int]] = field(default_factory=list)

    def decode(self, pieces: Sequence[BatchPart]) -> list[Logits]:
        if self.gate is not None:
            self.gate.acquire()
        self.steps.append(list(pieces))
        assert sum(len(piece.ids) for piece in pieces) <= BATCH
        assert len({piece.sequence for piece in pieces}) == len(pieces)
        if any(self.failing in piece.ids for piece in pieces):
            raise BackendError("llama.cpp could not evaluate: code -1")
        return [self._evaluated(piece) for piece in pieces]

    def _evaluated(self, piece: BatchPart) -> Logits:
        held = self.held.setdefault(piece.sequence, [])
        assert len(held) == piece.start, "a gap, or tokens of before"
        held += [int(token) for token in piece.ids]
        logits = np.zeros((piece.wants, SIZE), dtype=np.float32)
        for row, end in zip(logits, range(len(held) - piece.wants + 1, len(held) + 1), strict=True):
            row[self.letters[said_behind(held[:end])]] = 1.0
        return logits

    def trim(self, sequence: int, length: int) -> None:
        held = self.held.setdefault(sequence, [])
        assert length <= len(held)
        del held[length:]

    def save(self, sequence: int) -> KvState:
        return state_of(self.held[sequence])

    def load(self, sequence: int, states: Sequence[KvState]) -> bool:
        self.held[sequence] = [token for state in states for token in ids_of(state)]
        self.loads.append(list(self.held[sequence]))
        if self.loads_that_fail:
            self.loads_that_fail -= 1
            raise MemoryError("no memory left")
        return True


def said_behind(ids: Sequence[int]) -> int:
    """Which letter comes next: it depends on every token and its place."""
    return sum((at + 1) * token for at, token in enumerate(ids)) % len(LETTERS)
