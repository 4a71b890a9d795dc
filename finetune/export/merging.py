"""An adapter into the weights it was trained on: W + scale · B · A, tensor by tensor, without loading the model.

    python -m finetune.export.merging BASE ADAPTER OUT --dtype bf16

The result is a model folder like the base's, in as many files, with `merged.json` beside the weights: the sha256 of
what it was made from, and its own, which the next stage's adapter carries.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors.torch import save_file

from data.pretrained.adapter import Adapter, read_json
from finetune.export.llama import read_llama
from finetune.export.lora import check_fits
from finetune.export.reading import INDEX, Tensors
from finetune.manifest import Tell, quiet
from finetune.weights import check_base, hash_weights
from finetune.whole import PARTIAL, refuse_foreign
from scribe.errors import ModelFileError, UsageError

Dtype = Literal["bf16", "f32"]
DTYPES = {"bf16": torch.bfloat16, "f32": torch.float32}
NAMES = {"bf16": "bfloat16", "f32": "float32"}
MERGED = "merged.json"
_COPIED = ("*.json", "*.jinja", "*.model", "*.txt")


def merge(base: Path, adapter_folder: Path, out: Path, dtype: Dtype = "bf16", tell: Tell = quiet) -> str:
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
    adapter, source = Adapter(adapter_folder), Tensors.of_model(base)
    check_fits(adapter, source)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.", suffix=PARTIAL) as beside:
        made = Path(beside) / "hf"
        made.mkdir()
        _copy_others(base, made, dtype)
        _write_weights(adapter, source, made, dtype, tell)
        merged = _describe(base, adapter_folder, made, dtype)
        if out.exists():
            out.replace(Path(beside) / "old")
        made.replace(out)
    return merged


def _copy_others(base: Path, made: Path, dtype: Dtype) -> None:
    """Everything but the weights; the configuration names the dtype that the new ones have."""
    for path in (path for pattern in _COPIED for path in sorted(base.glob(pattern))):
        shutil.copy2(path, made / path.name)
    config = dict(read_json(made / "config.json"))
    config.pop("torch_dtype", None)  # what transformers 4 called it
    _write_json(made / "config.json", config | {"dtype": NAMES[dtype]})
    (made / MERGED).unlink(missing_ok=True)


def _write_weights(adapter: Adapter, source: Tensors, made: Path, dtype: Dtype, tell: Tell) -> None:
    size, done = 0, 0
    for file, names in sorted(source.files().items()):
        tensors = {}
        for name in names:
            tensors[name] = _merged(adapter, source, name).to(DTYPES[dtype]).contiguous()
            if not tensors[name].isfinite().all():
                raise ModelFileError(f"{adapter.folder}: merged into {name}, it gives what is no number")
            size, done = size + tensors[name].nbytes, done + 1
            tell("merging", done, len(source.names))
        save_file(tensors, made / file, metadata={"format": "pt"})
    if (made / INDEX).exists():
        index = dict(read_json(made / INDEX))
        _write_json(made / INDEX, index | {"metadata": {**index.get("metadata", {}), "total_size": size}})


def _merged(adapter: Adapter, source: Tensors, name: str) -> torch.Tensor:
    weight, pair = source.load(name), adapter.pairs.get(name)
    return weight if pair is None else weight.to(torch.float32) + torch.from_numpy(adapter.delta(pair))


def _describe(base: Path, adapter: Path, made: Path, dtype: Dtype) -> str:
    merged = hash_weights(made)
    said = {"base": hash_weights(base), "adapter": hash_weights(adapter), "dtype": dtype, "sha256": merged}
    _write_json(made / MERGED, said)
    return merged


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Merge, and print the sha256."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    given = parser.parse_args()
    try:
        print(merge(given.base, given.adapter, given.out, given.dtype))
    except (UsageError, ModelFileError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
