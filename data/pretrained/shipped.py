"""The language model that comes with Scribe: the base under our adapter, merged once on the user's machine.

    python -m data.pretrained.shipped

W + scale · B · A, matrix by matrix, without torch; layers are stored as Q8_0. README.md says why they are merged.
"""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from data.pretrained.adapter import LINEAR, Adapter, Weights, to_pairs
from data.pretrained.package import FOLDER_SHA256, GGUF_SHA256, find_base_gguf
from scribe.backends.weights import read_trained_on
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.files import build_once, cache_folder, hash_file, lock, write_text
from scribe.plumbing.progress import OnProgress, ignore_progress

ADAPTER = Path(__file__).parent.parent / "models" / "adapter"
MERGING = 1  # To be raised when the file that is written changes, so that no older one is taken for it
_TYPE = gguf.GGMLQuantizationType.Q8_0
log = logging.getLogger(__name__)
_WRITTEN_ANEW = ("general.architecture", "general.file_type")


def open_shipped_gguf(adapter: Path = ADAPTER, tell: OnProgress = ignore_progress) -> Path:
    """The model in the cache, made if absent; the base without adapter. Raises ModelFileError or UsageError."""
    base = find_base_gguf()
    if not adapter.exists():
        return base
    trained_on = read_trained_on(adapter)
    if trained_on is not None and trained_on != FOLDER_SHA256:
        raise ModelFileError(
            f"{adapter}: trained on weights with the sha256 {trained_on[:12]}…, not on the base model's"
            f" {FOLDER_SHA256[:12]}…; a second stage does not ship; train in one ([single])"
        )
    parts = [hash_file(adapter / name) for name in ("adapter_model.safetensors", "adapter_config.json")]
    key = hashlib.sha256(" ".join((GGUF_SHA256, *parts, str(MERGING))).encode()).hexdigest()[:16]
    return build_checked(
        cache_folder() / f"scribe-135m-{key}.q8_0.gguf",
        lambda partial: merge_gguf(base, Adapter(adapter), partial, tell),
    )


def build_checked(target: Path, build: Callable[[Path], None]) -> Path:
    """The file that `build(partial)` writes, made anew if it is no longer what was written. Raises OSError.

    Its sha256 lies beside it. Nobody would tell a model with a damaged byte from a poor one.
    """
    noted = target.with_suffix(".sha256")

    def build_and_note(partial: Path) -> None:
        build(partial)
        write_text(noted, hash_file(partial))

    def is_whole() -> bool:
        return noted.exists() and noted.read_bytes().decode("ascii", "replace") == hash_file(target)

    if target.exists() and not is_whole():
        with lock(target):
            if target.exists() and not is_whole():  # another process may just have made it again
                log.warning("%s is damaged, or of an earlier version, and is made again", target)
                target.unlink()
    return build_once(target, build_and_note)


def merge_gguf(base: Path, adapter: Adapter, path: Path, on_progress: OnProgress) -> None:
    """Write the base with the adapter in it. Raises UsageError if it does not fit, ModelFileError for NaN."""
    reader = gguf.GGUFReader(base)
    updates = {f"blk.{pair.layer}.{LINEAR[pair.module]}.weight": pair for pair in adapter.pairs.values()}
    if unknown := sorted(set(updates) - {tensor.name for tensor in reader.tensors}):
        raise UsageError(f"{adapter.folder}: the base model has no {unknown[0]}")
    counts = {"attn_q": "head_count", "attn_k": "head_count_kv"}
    heads = {name: reader.fields[f"llama.attention.{key}"].contents() for name, key in counts.items()}
    writer = gguf.GGUFWriter(path, reader.fields["general.architecture"].contents())
    try:
        _copy_fields(reader, writer)
        writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
        for done, tensor in enumerate(reader.tensors, start=1):
            if len(tensor.shape) > 1 and tensor.name.startswith("blk."):  # a matrix of a layer; embeddings are none
                pair, count = updates.get(tensor.name), heads.get(tensor.name.split(".")[2])
                update = None if pair is None else adapter.delta(pair)
                merged = _merge(tensor, to_pairs(update, count) if update is not None and count else update)
                writer.add_tensor(tensor.name, merged, raw_dtype=_TYPE)
            else:
                writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            on_progress("preparing the model", done, len(reader.tensors))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()


def _merge(tensor: Any, update: Weights | None) -> NDArray[Any]:
    """The matrix with its update (outputs, inputs), as it is stored."""
    weights = gguf.dequantize(tensor.data, tensor.tensor_type)
    if update is not None:
        if update.shape != weights.shape:
            raise UsageError(f"{tensor.name} is {weights.shape} in the base model, and {update.shape} in the adapter")
        weights = weights + update
    if not np.isfinite(weights).all():
        raise ModelFileError(f"{tensor.name}: base and adapter together give what is no number")
    stored: NDArray[Any] = gguf.quantize(weights.astype(np.float32), _TYPE)
    return stored


def _copy_fields(reader: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    """Everything that the base says of itself, its tokenizer above all."""
    for field in reader.fields.values():
        if field.name not in _WRITTEN_ANEW and not field.name.startswith("GGUF."):
            array = field.types[0] is gguf.GGUFValueType.ARRAY
            writer.add_key_value(field.name, field.contents(), field.types[0], field.types[-1] if array else None)


if __name__ == "__main__":
    print(open_shipped_gguf(tell=lambda step, done, total: print(f"\r{step} {done}/{total}", end="", flush=True)))
