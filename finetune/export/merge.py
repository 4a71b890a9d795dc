"""An adapter into the weights it was trained on: W + scale · B · A, tensor by tensor, without loading the model.

The result is a model folder like the base's, in as many files, with `merged.json` beside the weights: the sha256 of
what it was made from, and its own, which the next stage's adapter carries.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from data.pretrained.adapter import Adapter, read_json
from finetune.adapters import check_base
from finetune.export.adapter_gguf import check_fits
from finetune.export.weights import INDEX, ModelTensors
from finetune.llama import read_llama
from finetune.settings import Dtype
from scribe.backends.weights import hash_weights
from scribe.errors import ModelFileError, UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder
from scribe.plumbing.progress import OnProgress, ignore_progress

DTYPES = {"bf16": torch.bfloat16, "f32": torch.float32}
NAMES = {"bf16": "bfloat16", "f32": "float32"}
MERGED = "merged.json"
_COPIED = ("*.json", "*.jinja", "*.model", "*.txt")


def merge_adapter(
    base: Path, adapter_folder: Path, out: Path, dtype: Dtype = "bf16", on_progress: OnProgress = ignore_progress
) -> str:
    """Write the merged model to the folder `out`, whole or not at all, and return its weights' sha256.

    Sums are made in float32 and stored as `dtype`. Raises UsageError if the adapter was trained on other weights or
    is of a kind that cannot be merged so, or if `out` holds something else; ModelFileError for files that cannot be
    read.
    """
    read_llama(base)
    if out.resolve() in (base.resolve(), adapter_folder.resolve()):
        raise UsageError(f"{out} is what is merged, and would be replaced; name another folder")
    refuse_foreign(out, MERGED)
    check_base(adapter_folder, base)
    adapter, source = Adapter(adapter_folder), ModelTensors(base)
    check_fits(adapter, source)
    with replace_folder(out) as made:
        _copy_others(base, made, dtype)
        _write_weights(adapter, source, made, dtype, on_progress)
        return _describe(base, adapter_folder, made, dtype)


def _copy_others(base: Path, made: Path, dtype: Dtype) -> None:
    """Everything but the weights; the configuration names the dtype that the new ones have."""
    for path in (path for pattern in _COPIED for path in sorted(base.glob(pattern))):
        shutil.copy2(path, made / path.name)
    config = dict(read_json(made / "config.json"))
    config.pop("torch_dtype", None)  # what transformers 4 called it
    _write_json(made / "config.json", config | {"dtype": NAMES[dtype]})
    (made / MERGED).unlink(missing_ok=True)


def _write_weights(adapter: Adapter, source: ModelTensors, made: Path, dtype: Dtype, on_progress: OnProgress) -> None:
    size, done = 0, 0
    for file, names in sorted(source.files.items()):
        tensors = {}
        for name in names:
            tensors[name] = _merge_tensor(adapter, source, name).to(DTYPES[dtype]).contiguous()
            if not tensors[name].isfinite().all():
                raise ModelFileError(f"{adapter.folder}: merged into {name}, it gives what is no number")
            size, done = size + tensors[name].nbytes, done + 1
            on_progress("merging", done, len(source.names))
        save_file(tensors, made / file, metadata={"format": "pt"})
    if (made / INDEX).exists():
        index = dict(read_json(made / INDEX))
        _write_json(made / INDEX, index | {"metadata": {**index.get("metadata", {}), "total_size": size}})


def _merge_tensor(adapter: Adapter, source: ModelTensors, name: str) -> torch.Tensor:
    weight, pair = source.load(name), adapter.pairs.get(name)
    return weight if pair is None else weight.to(torch.float32) + torch.from_numpy(adapter.delta(pair))


def _describe(base: Path, adapter: Path, made: Path, dtype: Dtype) -> str:
    merged = hash_weights(made)
    said = {"base": hash_weights(base), "adapter": hash_weights(adapter), "dtype": dtype, "sha256": merged}
    _write_json(made / MERGED, said)
    return merged


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
