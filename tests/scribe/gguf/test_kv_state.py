"""A model's state as bytes: taken apart, cut, joined and put back, llama.cpp goes on as if nothing had happened."""

from pathlib import Path

import numpy as np
import pytest

from scribe.decoding.generation import Logits
from scribe.gguf.context import BatchPart, Ids, LlamaContext
from scribe.gguf.file import GgufFile
from scribe.gguf.kv_state import StateError, pack, unpack
from tests.scribe.engine.scripted import ids_of, state_of

IDS = np.arange(20, 60, dtype=np.int32)


@pytest.fixture(scope="module")
def context(gguf: Path) -> LlamaContext:
    return LlamaContext(GgufFile(gguf), 256, 3, threads=1)


def read(context: LlamaContext, sequence: int, start: int, ids: Ids) -> Logits:
    """The logits behind the last of the ids, as a copy."""
    (rows,) = context.decode([BatchPart(sequence, start, ids, 1)])
    logits: Logits = rows[0].copy()
    return logits


def test_a_state_put_elsewhere_goes_on_as_the_first_would(context: LlamaContext) -> None:
    context.trim(0, 0)
    read(context, 0, 0, IDS[:30])
    state = context.save(0)
    assert (len(state), state.layout.layers, state.keys.shape[2]) == (30, 2, 2 * 16 * 2)
    assert context.load(2, [state.cut(0, 12), state.cut(12, 13), state.cut(13, 30)])
    assert (read(context, 2, 30, IDS[30:]) == read(context, 0, 30, IDS[30:])).all()


def test_a_sequence_holds_just_what_was_loaded_into_it(context: LlamaContext) -> None:
    context.trim(0, 0)
    read(context, 0, 0, IDS)
    state = context.save(0)
    context.trim(1, 0)
    read(context, 1, 0, IDS[::-1].copy())
    assert context.load(1, [state.cut(0, 10)])
    fresh = read(context, 1, 10, IDS[:1])
    context.trim(0, 10)
    assert (fresh == read(context, 0, 10, IDS[:1])).all()


def test_what_was_trimmed_and_read_anew_is_saved_in_order(context: LlamaContext) -> None:
    for sequence in (0, 1):
        context.trim(sequence, 0)
        read(context, sequence, 0, IDS[:25])
    context.trim(0, 5)
    read(context, 0, 5, IDS[5:25])
    one, other = context.save(0), context.save(1)
    # Read in other portions, so that the last digits may differ.
    assert np.abs(one.keys.view(np.float16) - other.keys.view(np.float16)).max() < 0.05


def test_the_bytes_come_back_as_they_were(context: LlamaContext) -> None:
    context.trim(1, 0)
    read(context, 1, 0, IDS)
    first = context.save(1)
    again = unpack(pack([first.cut(0, 7), first.cut(7, 40)], 5))
    assert again.layout == first.layout
    assert (again.keys == first.keys).all() and (again.values == first.values).all()


def test_a_part_has_memory_of_its_own() -> None:
    whole = state_of([1, 2, 3, 4])
    part = whole.cut(1, 3)
    whole.keys[:] = 0
    assert (ids_of(part), part.nbytes, len(part)) == ([2, 3], 16, 2)


def test_bytes_that_are_laid_out_otherwise_are_refused(context: LlamaContext) -> None:
    context.trim(0, 0)
    read(context, 0, 0, IDS)
    good = pack([context.save(0)], 2)
    assert len(unpack(good)) == 40
    twice, moved, flat = good.copy(), good.copy(), good.copy()
    twice[16 + 4] = 2  # the first token is of two sequences
    moved[16] = 9  # … stands elsewhere
    flat[16 + 40 * 12] = 0  # values are not transposed
    wrong = [good[:-5], good[:30], good[:0], np.append(good, good[:4]), twice, moved, flat]
    for data in wrong:
        with pytest.raises(StateError):
            unpack(data)


def test_a_state_of_another_model_is_not_loaded(context: LlamaContext) -> None:
    assert not context.load(0, [state_of([1, 2, 3])])
    assert np.isfinite(read(context, 0, 0, IDS[:1])).all()
