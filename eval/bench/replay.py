"""Letting the engine write what was recorded, so that all contenders do the same work.

The engine is the real one, grammar and all. Only the logits that it gets are replaced, after the model has computed
them, by such in which the recorded token is the likeliest; what the grammar then forces must be what was recorded.
"""

from collections.abc import Sequence
from pathlib import Path

import llama_cpp
import numpy as np
from llguidance.llamacpp import lltokenizer_from_vocab

from eval.bench.recorded import Recorded
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.weights import fingerprint
from scribe.decoding.generation import Logits
from scribe.engine.engine import Engine, Sizes
from scribe.engine.prefix_files import PrefixFiles
from scribe.engine.slots import Slots
from scribe.errors import BackendError
from scribe.gguf.context import BatchPart, Context, LlamaContext
from scribe.gguf.file import GgufFile
from scribe.gguf.kv_state import KvState
from scribe.messages import Message

CERTAIN = np.float32(1e9)


class Dictating:
    """A `Context` whose logits say what was recorded. `slots` must be set to those of the engine that it is in."""

    slots: Slots

    def __init__(self, context: Context, size: int, recorded: Recorded) -> None:
        self._context = context
        self._turns = {np.array(turn.ids, np.int32).tobytes(): turn for turn in recorded.turns}
        self._rows = np.zeros((context.sequences, size), np.float32)
        self._set = [0] * context.sequences

    @property
    def sequences(self) -> int:
        return self._context.sequences

    def decode(self, pieces: Sequence[BatchPart]) -> list[Logits | None]:
        rows = self._context.decode(pieces)
        return [None if row is None else self._dictated(piece) for piece, row in zip(pieces, rows, strict=True)]

    def _dictated(self, piece: BatchPart) -> Logits:
        """Logits (vocabulary,) for the token that comes next. Raises BackendError if nothing was recorded."""
        slot = self.slots.all[piece.sequence]
        assert slot is not None
        written = tuple(slot.ids[len(slot.prompt.ids) : slot.known])
        turn = self._turns.get(slot.prompt.ids.tobytes())
        if turn is None or turn.wrote[: len(written)] != written or len(written) >= len(turn.wrote):
            raise BackendError("the replay has left the record: this prompt or turn is not in it")
        row: Logits = self._rows[piece.sequence]
        row[self._set[piece.sequence]] = 0
        row[turn.wrote[len(written)]] = CERTAIN
        self._set[piece.sequence] = turn.wrote[len(written)]
        return row

    def trim(self, sequence: int, length: int) -> None:
        self._context.trim(sequence, length)

    def save(self, sequence: int) -> KvState:
        return self._context.save(sequence)

    def load(self, sequence: int, states: Sequence[KvState]) -> bool:
        return self._context.load(sequence, states)


class ReplayBackend:
    """The engine as `LlamaBackend` makes it, but its model says what was recorded."""

    def __init__(
        self, path: Path, recorded: Recorded, sizes: Sizes, threads: int, prefixes: Path | None = None
    ) -> None:
        self._path = path
        file = GgufFile(path)
        context = Dictating(LlamaContext(file, sizes.context, sizes.parallel, threads), file.size, recorded)
        files = PrefixFiles(prefixes, self.info | {"llama_cpp": llama_cpp.__version__}) if prefixes else None
        self.chat = file.chat()
        self.engine = Engine(context, self.chat, lltokenizer_from_vocab(file.vocabulary), sizes, files)
        context.slots = self.engine.slots

    @property
    def info(self) -> dict[str, str]:
        return {"backend": "llama", "name": self._path.name, "sha256": fingerprint(self._path)}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self.engine.complete(prompt, sampling, constraint, on_text, owner)

    def close(self) -> None:
        """Stop now."""
        self.engine.close()
