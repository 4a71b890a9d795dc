"""A LoRA adapter as one GGUF file, which llama.cpp lays over the model it belongs to."""

from pathlib import Path

import gguf
import numpy as np

from data.pretrained.adapter import Adapter, to_pairs
from finetune.adapters import check_base
from finetune.export.model_gguf import find_layer_tensor
from finetune.export.weights import ModelTensors
from finetune.llama import LlamaShape, read_llama
from scribe.backends.weights import hash_weights
from scribe.errors import ModelFileError, UsageError
from scribe.gguf.file import TRAINED_ON_KEY
from scribe.plumbing.files import replace_file


def export_lora(folder: Path, adapter_folder: Path, path: Path) -> Path:
    """Write an adapter of the model in `folder` to `path` in 16 bits and return it.

    llama.cpp adds alpha / rank · B · A and knows one alpha. It is written so that this is the adapter's own scale,
    whatever rule that came from; where modules differ, the difference goes into B.
    Raises ModelFileError for what cannot be read, UsageError for an adapter of other weights or of another kind.
    """
    shape, adapter = read_llama(folder).shape, Adapter(adapter_folder)
    check_base(adapter_folder, folder)
    check_fits(adapter, ModelTensors(folder))
    with replace_file(path) as partial:
        writer = gguf.GGUFWriter(partial, "llama")
        try:
            _fill(writer, shape, adapter)
            writer.add_string(TRAINED_ON_KEY, hash_weights(folder))
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
        finally:
            writer.close()
    return path


def check_fits(adapter: Adapter, source: ModelTensors) -> None:
    """Raise UsageError unless every pair has its weight, and of its shape."""
    for name, pair in adapter.pairs.items():
        a, b = adapter.matrices(pair)
        if name not in source.names or source.shape(name) != (b.shape[0], a.shape[1]):
            raise UsageError(f"{adapter.folder}: the model has no {name} of {b.shape[0]} × {a.shape[1]}")


def _fill(writer: gguf.GGUFWriter, shape: LlamaShape, adapter: Adapter) -> None:
    alpha = max(pair.scale * pair.rank for pair in adapter.pairs.values())
    if not alpha > 0:
        raise UsageError(f"{adapter.folder}: its alpha is {alpha}, so that it would change nothing")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for pair in adapter.pairs.values():
        target = find_layer_tensor(shape, pair.layer, pair.module)
        a, b = adapter.matrices(pair)
        b = (to_pairs(b, target.heads) if target.heads else b) * np.float32(pair.scale * pair.rank / alpha)
        for name, matrix in ((f"{target.name}.lora_a", a), (f"{target.name}.lora_b", b)):
            with np.errstate(over="ignore"):
                stored = matrix.astype(np.float16)
            if not np.isfinite(stored).all():
                raise ModelFileError(f"{adapter.folder}: {name} holds what f16 cannot; the training went wrong")
            writer.add_tensor(name, np.ascontiguousarray(stored))
