"""A LoRA adapter to a GGUF file that llama.cpp lays over the model it belongs to."""

from pathlib import Path
from typing import Literal

import gguf
import numpy as np

from data.pretrained.adapter import Adapter, LoraPair
from data.pretrained.layers import to_pairs
from finetune.export.llama import Llama, read_llama
from finetune.export.reading import Tensors
from finetune.export.tensors import layer_tensor
from finetune.weights import check_base, hash_weights
from finetune.whole import written
from scribe.errors import ModelFileError, UsageError
from scribe.gguf.file import TRAINED_ON_KEY

Precision = Literal["f16", "f32"]
_TYPES = {"f16": np.float16, "f32": np.float32}


def export_lora(folder: Path, adapter_folder: Path, path: Path, precision: Precision = "f16") -> Path:
    """Write an adapter of the model in `folder` to `path` and return it.

    llama.cpp adds alpha / rank · B · A and knows one alpha. It is written so that this is the adapter's own scale,
    whatever rule that came from; where modules differ, the difference goes into B.
    Raises ModelFileError for what cannot be read, UsageError for an adapter of other weights or of another kind.
    """
    llama, adapter = read_llama(folder), Adapter(adapter_folder)
    check_base(adapter_folder, folder)
    check_fits(adapter, Tensors.of_model(folder))
    with written(path) as partial:
        writer = gguf.GGUFWriter(partial, "llama")
        try:
            _fill(writer, llama, adapter, precision)
            writer.add_string(TRAINED_ON_KEY, hash_weights(folder))
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
        finally:
            writer.close()
    return path


def check_fits(adapter: Adapter, source: Tensors) -> None:
    """Raise UsageError unless every pair has its weight, and of its shape."""
    for name, pair in adapter.pairs.items():
        a, b = adapter.matrices(pair)
        if name not in source.names or source.shape(name) != (b.shape[0], a.shape[1]):
            raise UsageError(f"{adapter.folder}: the model has no {name} of {b.shape[0]} × {a.shape[1]}")


def _fill(writer: gguf.GGUFWriter, llama: Llama, adapter: Adapter, precision: Precision) -> None:
    alpha = max(pair.scale * pair.rank for pair in adapter.pairs.values())
    if not alpha > 0:
        raise UsageError(f"{adapter.folder}: its alpha is {alpha}, so that it would change nothing")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for pair in adapter.pairs.values():
        _add(writer, llama, adapter, pair, pair.scale * pair.rank / alpha, precision)


def _add(
    writer: gguf.GGUFWriter, llama: Llama, adapter: Adapter, pair: LoraPair, share: float, precision: Precision
) -> None:
    target = layer_tensor(llama, pair.layer, pair.module)
    a, b = adapter.matrices(pair)
    b = (to_pairs(b, target.heads) if target.heads else b) * np.float32(share)
    for name, matrix in ((f"{target.name}.lora_a", a), (f"{target.name}.lora_b", b)):
        with np.errstate(over="ignore"):
            stored = matrix.astype(_TYPES[precision])
        if not np.isfinite(stored).all():
            raise ModelFileError(f"{adapter.folder}: {name} holds what {precision} cannot; the training went wrong")
        writer.add_tensor(name, np.ascontiguousarray(stored))
