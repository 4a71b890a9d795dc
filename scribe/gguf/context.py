"""One llama.cpp context with several sequences, each with its own stream of cells. For one thread only.

The other way, one pool of cells for all sequences (`kv_unified`), was measured on the embedded model (a Xeon, one
thread, milliseconds of processor time). A step that adds a token to each of n sequences, 509 tokens of them the same
and 500 each one's own; and for one token of a prompt, read 256 at a time, beside n other sequences:

    sequences             1      4      8     16    1 of 16   8 of 16     reading beside 0      3      7     15
    one pool            4.6    9.8   20.8   61.1       16.9      37.0                 0.50   1.00   1.66   2.96
    streams             4.3   11.3   20.4   37.2        4.2      20.3                 0.52   0.57   0.50   0.50

In a pool attention runs over the cells of all, also of those that do nothing. In return a prefix would be shared
without copying, which takes streams 3 ms for 700 tokens through bytes of our own (`kv_state`).

A step whose sequences are not neighbours is evaluated in several parts, 16.7 instead of 11.7 ms for four sequences
that are all apart; `scribe.engine.slots` gives out neighbours first.

What a sequence's logits are does not depend on its company, bit for bit, measured on AVX2. But llama.cpp's kernels for
one token of a sequence and for several round differently: their logits differ by up to 0.7, since activations are
rounded to eight bits again and again. So a step is evaluated as its pieces say: those of one token together, every
longer one by itself. Left to llama.cpp, the first token of each would go with the single ones.
"""

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scribe.decoding.generation import Logits
from scribe.gguf import file as gguf_file
from scribe.gguf.file import BATCH, GgufFile
from scribe.gguf.kv_state import Bytes, KvState, pack, unpack
from scribe.gguf.native import llama_cpp
from scribe.gguf.thread_choice import ThreadChoice
from scribe.plumbing.errors import BackendError, ModelFileError

Ids = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class BatchPart:
    """Tokens to evaluate in one step: `ids` stand at `start` of the sequence.

    wants: behind how many of the last ones logits are wanted.
    """

    sequence: int
    start: int
    ids: Ids
    wants: int


class Context(Protocol):
    """Sequences of tokens that a model has read, numbered from 0. Positions count from 0."""

    @property
    def sequences(self) -> int:
        """How many there are."""
        ...

    def decode(self, pieces: Sequence[BatchPart]) -> list[Logits]:
        """Evaluate at most `BATCH` tokens; each piece's logits (wants, vocabulary), valid until the next call.

        Raises BackendError with llama.cpp's reason; what the sequences then hold is unknown.
        """
        ...

    def trim(self, sequence: int, length: int) -> None:
        """Let the sequence hold only its first tokens."""
        ...

    def save(self, sequence: int) -> KvState:
        """The state of all tokens of a sequence that holds some. Raises StateError if llama.cpp's is unknown to us."""
        ...

    def load(self, sequence: int, states: Sequence[KvState]) -> bool:
        """Let the sequence hold these, one behind the other, instead of what it held. If False, it holds nothing."""
        ...


class LlamaContext:
    """The `Context` of a GGUF file; each sequence has room for `length` tokens.

    adapter: a LoRA adapter as GGUF, in force for all sequences. outputs: rows of logits that a step may give besides
    one a sequence. Raises BackendError if there is not enough memory.
    """

    def __init__(
        self,
        file: GgufFile,
        length: int,
        sequences: int,
        threads: int,
        adapter: Path | None = None,
        outputs: int = 0,
    ) -> None:
        self.sequences = sequences
        self._file = file
        self._context = file.open(self, length, threads, sequences, outputs)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = _Batch()
        self._threads = ThreadChoice(threads)
        if adapter is not None:
            _adapt(file, self._context, adapter)

    def decode(self, pieces: Sequence[BatchPart]) -> list[Logits]:
        single = [at for at, piece in enumerate(pieces) if len(piece.ids) == 1]
        passes = [single] if single else []
        passes += [[at] for at, piece in enumerate(pieces) if len(piece.ids) > 1]
        rows: dict[int, Logits] = {}
        for places in passes:
            found = self._evaluate([pieces[at] for at in places])
            rows |= zip(places, found if len(passes) == 1 else [each.copy() for each in found], strict=True)
        return [rows[at] for at in range(len(pieces))]

    def _evaluate(self, pieces: Sequence[BatchPart]) -> list[Logits]:
        """One call of llama_decode."""
        gguf_file.forget()
        self._batch.fill(pieces)
        llama_cpp.llama_set_n_threads(self._context, self._threads.count, self._threads.count)
        tokens, began = sum(len(piece.ids) for piece in pieces), time.perf_counter()
        code = llama_cpp.llama_decode(self._context, self._batch.given)
        self._threads.note(tokens, time.perf_counter() - began)
        if code:
            raise BackendError(f"llama.cpp could not evaluate {tokens} tokens: {gguf_file.heard(f'code {code}')}")
        ends = np.cumsum([piece.wants for piece in pieces])
        return np.split(self._rows(int(ends[-1])), ends[:-1])

    def _rows(self, count: int) -> Logits:
        """The logits (count, vocabulary) that the last step gave."""
        if not count:
            return np.empty((0, self._file.size), dtype=np.float32)
        first = llama_cpp.llama_get_logits(self._context)
        if not first:
            raise BackendError(f"llama.cpp gave no logits: {gguf_file.heard('it does not say why')}")
        return np.ctypeslib.as_array(first, shape=(count, self._file.size))

    def trim(self, sequence: int, length: int) -> None:
        if not llama_cpp.llama_memory_seq_rm(self._memory, sequence, length, -1):
            raise BackendError(f"llama.cpp cannot keep just {length} tokens of this model's cache")

    def save(self, sequence: int) -> KvState:
        size = llama_cpp.llama_state_seq_get_size(self._context, sequence)
        data = np.empty(size, dtype=np.uint8)
        written = llama_cpp.llama_state_seq_get_data(self._context, _bytes(data), size, sequence)
        return unpack(data[:written])

    def load(self, sequence: int, states: Sequence[KvState]) -> bool:
        data = pack(states, self.sequences)
        read = llama_cpp.llama_state_seq_set_data(self._context, _bytes(data), len(data), sequence)
        if read != len(data):
            self.trim(sequence, 0)
        return bool(read == len(data))


class _Batch:
    """The arrays that llama_decode reads."""

    def __init__(self) -> None:
        self._ids, self._positions, self._sequences, self._counts = (np.zeros(BATCH, np.int32) for _ in range(4))
        self._wants = np.zeros(BATCH, np.int8)
        self._counts[:] = 1
        rows = (_integers(self._sequences[at:]) for at in range(BATCH))  # a token may be of several sequences
        self._rows = (ctypes.POINTER(llama_cpp.llama_seq_id) * BATCH)(*rows)
        self.given: Any = llama_cpp.llama_batch()
        self.given.token, self.given.pos = _integers(self._ids), _integers(self._positions)
        self.given.n_seq_id, self.given.seq_id = _integers(self._counts), self._rows
        self.given.logits = self._wants.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))

    def fill(self, pieces: Sequence[BatchPart]) -> None:
        """Write the pieces one behind the other."""
        end = 0
        for piece in pieces:
            begin, end = end, end + len(piece.ids)
            self._ids[begin:end] = piece.ids
            self._positions[begin:end] = np.arange(piece.start, piece.start + len(piece.ids))
            self._sequences[begin:end] = piece.sequence
            self._wants[begin:end] = np.arange(end - begin, 0, -1) <= piece.wants
        self.given.n_tokens = end


def _integers(array: Ids) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))


def _bytes(data: Bytes) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))


def _adapt(file: GgufFile, context: Any, path: Path) -> None:
    """Put a LoRA adapter in force. It is freed with the model. Raises ModelFileError."""
    gguf_file.forget()
    adapter = llama_cpp.llama_adapter_lora_init(file.model, str(path).encode())
    if not adapter:
        why = gguf_file.heard("llama.cpp does not say why")
        raise ModelFileError(f"{path}: not a LoRA adapter of this model as a GGUF file ({why})")
    trained_on = gguf_file.said(llama_cpp.llama_adapter_meta_val_str, adapter, gguf_file.TRAINED_ON_KEY)
    weights = gguf_file.said(llama_cpp.llama_model_meta_val_str, file.model, gguf_file.WEIGHTS_KEY)
    if trained_on and weights and trained_on != weights:
        raise ModelFileError(
            f"{path}: trained on other weights ({trained_on[:12]}) than this model's ({weights[:12]}); give the GGUF "
            "file of the model that the adapter was trained on"
        )
    adapters = (llama_cpp.llama_adapter_lora_p_ctypes * 1)(adapter)
    if llama_cpp.llama_set_adapters_lora(context, adapters, 1, (ctypes.c_float * 1)(1.0)):
        raise ModelFileError(f"{path}: the adapter cannot be put in force")
