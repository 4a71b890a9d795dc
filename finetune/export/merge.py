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
from finetune.llama import list_shards, read_llama, read_shard
from finetune.settings import Dtype
from scribe.backends.weights import hash_weights
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder
from scribe.plumbing.progress import OnProgress, ignore_progress

DTYPES = {"bf16": torch.bfloat16, "f32": torch.float32}
MERGED = "merged.json"
_COPIED = ("*.json", "*.jinja", "*.model", "*.txt")


def merge_adapter(
    base: Path, adapter_folder: Path, out: Path, dtype: Dtype = "bf16", on_progress: OnProgress = ignore_progress
) -> str:
    """Write the merged model to the folder `out`, whole or not at all, and return its weights' sha256.

    Sums are made in float32 and stored as `dtype`. Raises UsageError if the adapter was trained on other weights or is
    of a kind that cannot be merged so, or if `out` holds something else; ModelFileError for files not readable.
    """
    read_llama(base)
    if out.resolve() in (base.resolve(), adapter_folder.resolve()):
        raise UsageError(f"{out} is what is merged, and would be replaced; name another folder")
    refuse_foreign(out, MERGED)
    check_base(adapter_folder, base)
    adapter, shards = Adapter(adapter_folder), list_shards(base)
    with replace_folder(out) as made:
        _copy_others(base, made, dtype)
        left = set(adapter.pairs)
        for done, shard in enumerate(shards, start=1):
            tensors = {name: _merge(adapter, name, weight, dtype) for name, weight in read_shard(shard).items()}
            save_file(tensors, made / shard.name, metadata={"format": "pt"})
            left -= set(tensors)
            on_progress("merging", done, len(shards))
        if left:
            raise UsageError(f"{adapter_folder}: the model has no {min(left)}")
        merged = hash_weights(made)
        sources = {"base": hash_weights(base), "adapter": hash_weights(adapter_folder)}
        _write_json(made / MERGED, {**sources, "dtype": dtype, "sha256": merged})
    return merged


def _copy_others(base: Path, made: Path, dtype: Dtype) -> None:
    """Everything but the weights; the configuration names the dtype that the new ones have."""
    for path in (path for pattern in _COPIED for path in sorted(base.glob(pattern))):
        shutil.copy2(path, made / path.name)
    config = dict(read_json(made / "config.json"))
    config.pop("torch_dtype", None)  # what transformers 4 called it
    _write_json(made / "config.json", config | {"dtype": str(DTYPES[dtype]).removeprefix("torch.")})
    (made / MERGED).unlink(missing_ok=True)


def _merge(adapter: Adapter, name: str, weight: torch.Tensor, dtype: Dtype) -> torch.Tensor:
    """A tensor with what the adapter adds to it. Raises UsageError if that is of another shape."""
    if pair := adapter.pairs.get(name):
        update = torch.from_numpy(adapter.delta(pair))
        if update.shape != weight.shape:
            raise UsageError(f"{adapter.folder}: the model has no {name} of {' × '.join(map(str, update.shape))}")
        weight = weight.to(torch.float32) + update
    merged = weight.to(DTYPES[dtype]).contiguous()
    if not merged.isfinite().all():
        raise ModelFileError(f"{adapter.folder}: merged into {name}, it gives what is no number")
    return merged


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
