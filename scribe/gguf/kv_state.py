"""What a model has read of some tokens: their keys and values, which can be cut and joined at any token.

llama.cpp gives the state of a sequence as bytes (`llama_state_seq_get_data`). Their layout is not documented, so it
is read strictly: whatever is not exactly as expected raises StateError, and then nothing is kept, which costs time and
nothing else. All numbers are little-endian, u = unsigned and i = signed, 32 bits but for the one u64:

    u magic, i sequence, u streams, then for each stream: u tokens, and if there are any
        for each token:                     i position, u sequences (1), i sequence
        u values are transposed (1), u layers
        for each layer (keys):              i type, u64 bytes a token, bytes (tokens, bytes a token)
        for each layer (values):            i type, u bytes a number, u numbers a token, bytes (numbers, tokens, bytes)
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
_LAYER = 12
"""Bytes that stand before the keys, and before the values, of a layer."""


class StateError(ValueError):
    """These bytes are not laid out as this version of llama.cpp is known to do it."""


@dataclass(frozen=True, slots=True)
class KvLayout:
    """What the states of one model have in common. magic: a number that must come back as it was.

    keys, values: the twelve bytes that stand before those of each layer.
    """

    magic: int
    layers: int
    keys: bytes
    values: bytes

    @property
    def key_size(self) -> int:
        """Bytes of a token's keys in one layer."""
        return int(np.frombuffer(self.keys, "<u8", 1, 4)[0])

    @property
    def value_size(self) -> tuple[int, int]:
        """Numbers of a token's values in one layer, and bytes of each."""
        size, count = np.frombuffer(self.values, "<u4", 2, 4)
        return int(count), int(size)


@dataclass(frozen=True, slots=True, eq=False)
class KvState:
    """The state of n tokens. keys: (layers, n, bytes). values: (layers, numbers, n, bytes)."""

    layout: KvLayout
    keys: Bytes
    values: Bytes

    def __len__(self) -> int:
        return int(self.keys.shape[1])

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return self.keys.nbytes + self.values.nbytes

    def view(self, count: int) -> "KvState":
        """The state of the first tokens, in the same memory."""
        return KvState(self.layout, self.keys[:, :count], self.values[:, :, :count])

    def cut(self, start: int, end: int) -> "KvState":
        """The state of the tokens from start to end, counted from this one's first, in memory of its own."""
        return KvState(self.layout, self.keys[:, start:end].copy(), self.values[:, :, start:end].copy())


def unpack(data: Bytes) -> KvState:
    """A state from llama.cpp's bytes (n,), without copying. Raises StateError."""
    try:
        return _read(data)
    except (ValueError, IndexError) as error:
        raise StateError(f"llama.cpp's state is laid out in a way that is not known here ({error})") from error


def pack(states: Sequence[KvState], streams: int) -> Bytes:
    """llama.cpp's bytes for tokens that stand one state behind the other from position 0 on; at least one state.

    streams: as many as the context has that reads them.
    """
    layout, count = states[0].layout, sum(map(len, states))
    positions = np.zeros((count, 3), "<i4")
    positions[:, 0], positions[:, 1] = np.arange(count), 1
    begin = np.array([layout.magic, 0, streams, count], "<u4").tobytes()
    middle = np.array([1, layout.layers], "<u4").tobytes()
    numbers, size = layout.value_size
    parts = [begin, positions.tobytes(), middle]
    key_rows = _rows(layout.layers, layout.keys, count * layout.key_size)
    value_rows = _rows(layout.layers, layout.values, numbers * count * size)
    keys = key_rows[:, _LAYER:].reshape(layout.layers, count, -1)
    values = value_rows[:, _LAYER:].reshape(layout.layers, numbers, count, size)
    at = 0
    for state in states:
        keys[:, at : at + len(state)], values[:, :, at : at + len(state)] = state.keys, state.values
        at += len(state)
    rest = np.zeros(4 * (streams - 1), np.uint8)
    return np.concatenate([np.frombuffer(b"".join(parts), np.uint8), key_rows.ravel(), value_rows.ravel(), rest])


def _rows(layers: int, head: bytes, size: int) -> Bytes:
    """Room for the layers (layers, 12 + size), each behind its head."""
    rows = np.empty((layers, _LAYER + size), np.uint8)
    rows[:, :_LAYER] = np.frombuffer(head, np.uint8)
    return rows


def _read(data: Bytes) -> KvState:
    reader = _StateReader(data)
    magic, _, streams = reader.numbers(3)
    empty = 0
    while not (count := reader.numbers(1)[0]):
        empty += 1
    positions = reader.table(count)
    transposed, layers = reader.numbers(2)
    if transposed != 1:
        raise StateError("its values are not transposed")
    key, keys = reader.layers(layers, lambda head: count * KvLayout(0, 0, head, b"").key_size)
    value, values = reader.layers(layers, lambda head: count * math.prod(KvLayout(0, 0, b"", head).value_size))
    if any(reader.numbers(streams - 1 - empty)) or reader.left:
        raise StateError("it is longer than expected")
    layout = KvLayout(magic, layers, key, value)
    keys, values = keys.reshape(layers, count, -1), values.reshape(layers, layout.value_size[0], count, -1)
    order = positions.argsort()
    if (positions[order] != np.arange(count)).any():
        raise StateError("its tokens are not the first of a sequence")
    if (order == np.arange(count)).all():
        return KvState(layout, keys, values)
    return KvState(layout, keys[:, order], values[:, :, order])


class _StateReader:
    """Takes bytes (n,) from the front. Raises ValueError where they end too early."""

    def __init__(self, data: Bytes) -> None:
        self._data = data

    @property
    def left(self) -> int:
        return len(self._data)

    def numbers(self, count: int) -> list[int]:
        """The next 32-bit numbers."""
        return [int(number) for number in self._take(4 * count).view("<u4")]

    def table(self, count: int) -> NDArray[np.int32]:
        """The positions (count,) of that many tokens."""
        rows = self._take(12 * count).view("<i4").reshape(count, 3)
        if (rows[:, 1] != 1).any():
            raise StateError("its tokens are of several sequences")
        return rows[:, 0]

    def layers(self, layers: int, size: Callable[[bytes], int]) -> tuple[bytes, Bytes]:
        """What stands before each layer, from which follows its size, and the layers (layers, size) without it."""
        head = self._data[:_LAYER].tobytes()
        rows = self._take(layers * (_LAYER + size(head))).reshape(layers, -1)
        if (rows[:, :_LAYER] != rows[0, :_LAYER]).any():
            raise StateError("its layers differ")
        return head, rows[:, _LAYER:]

    def _take(self, count: int) -> Bytes:
        if not 0 <= count <= len(self._data):
            raise StateError("it is shorter than expected")
        taken, self._data = self._data[:count], self._data[count:]
        return taken
