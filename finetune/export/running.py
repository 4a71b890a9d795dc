"""The pipeline's last step: merge, write GGUF files, hold them against the model.

    python -m finetune.export BASE ADAPTER --trajectories trajectories.jsonl --out runs/x/model

`OUT` then holds hf/ (merged weights), model.f16.gguf and so on, and parity.csv. The chat takes any of the files by
path: `[model] path = "OUT/model.q8_0.gguf"`.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf

from data.bundle import COURSES
from data.pretrained.adapter import read_json
from finetune.export.lora import export_lora
from finetune.export.merging import MERGED, Dtype, merge
from finetune.export.model import export_gguf
from finetune.export.parity import Parity, measure, table
from finetune.export.quantizing import Quantization, stored
from finetune.manifest import Tell, finish, is_done
from finetune.weights import check_base, hash_weights
from finetune.whole import clear, written
from scribe.errors import ModelFileError
from scribe.gguf.file import WEIGHTS_KEY

STEP = "export"


@dataclass(frozen=True, slots=True)
class Export:
    """How the result is written. dtype: of the merged folder. parity_rows: trajectories it is proven on.

    lora: write the adapter by itself too, as lora.gguf with the base beside it (base.f16.gguf). courses: where the
    bundles of the trajectories' courses lie (empty: those that come with Scribe).
    """

    quantizations: tuple[Quantization, ...] = ("f16", "q8_0", "q4_k_m")
    dtype: Dtype = "bf16"
    lora: bool = False
    parity_rows: int = 8
    courses: str = ""

    @property
    def bundles(self) -> Path:
        """Where the bundles lie."""
        return Path(self.courses).expanduser() if self.courses else COURSES


def inputs(base: Path, adapter: Path, trajectories: Path) -> dict[str, Path]:
    """What the step reads, by the names that its manifest gives them."""
    return {"base": base, "adapter": adapter, "trajectories": trajectories}


def run(
    settings: Export,
    base: Path,
    adapter: Path,
    trajectories: Path,
    out: Path,
    tell: Tell,
) -> None:
    """Make everything of `out` that is not there yet, and its manifest last.

    base: the model folder that `adapter` (peft's format) was trained on. trajectories: what parity is measured on.
    Raises UsageError or ModelFileError; also if an exported file does not compute what the model computes.
    """
    began = time.monotonic()
    given = inputs(base, adapter, trajectories)
    if is_done(out, STEP, given, settings):
        return
    check_base(adapter, base)
    out.mkdir(parents=True, exist_ok=True)
    clear(out)
    merged = _merged(settings, base, adapter, out, tell)
    files = [_exported(merged, out / f"model.{kind}.gguf", kind) for kind in settings.quantizations]
    found = measure(merged, files, trajectories, settings.parity_rows, settings.bundles, tell=tell) if files else []
    if settings.lora:
        found += _lora(settings, base, adapter, trajectories, out, tell)
    _judge(found, out)
    kinds = zip(files, settings.quantizations, strict=True)
    counts = {path.name: _counted(path, kind, found) for path, kind in kinds}
    finish(out, STEP, given, settings, counts, time.monotonic() - began, [hash_weights(merged)])


def _merged(settings: Export, base: Path, adapter: Path, out: Path, tell: Tell) -> Path:
    """The merged folder, made unless it is there already."""
    merged = out / "hf"
    wanted = {"base": hash_weights(base), "adapter": hash_weights(adapter), "dtype": settings.dtype}
    if not (merged / MERGED).exists() or not wanted.items() <= _said(merged).items():
        merge(base, adapter, merged, settings.dtype, tell)
    return merged


def _said(merged: Path) -> Mapping[str, Any]:
    """What a merged folder says of itself, if it is still true of its weights."""
    said = read_json(merged / MERGED)
    return said if said.get("sha256") == hash_weights(merged) else {}


def _exported(folder: Path, path: Path, kind: Quantization) -> Path:
    """The GGUF file, made unless it is there already; it appears whole, and says of which weights it is."""
    if path.exists():
        field = gguf.GGUFReader(path).fields.get(WEIGHTS_KEY)
        if field and field.contents() == hash_weights(folder):
            return path
    return export_gguf(folder, path, kind)


def _lora(settings: Export, base: Path, adapter: Path, trajectories: Path, out: Path, tell: Tell) -> list[Parity]:
    """The adapter by itself, on the base at 16 bits."""
    below = _exported(base, out / "base.f16.gguf", "f16")
    laid = export_lora(base, adapter, out / "lora.gguf")
    return measure(base, [below], trajectories, settings.parity_rows, settings.bundles, adapter, laid, tell)


def _judge(found: Sequence[Parity], out: Path) -> None:
    """Write the table; raise ModelFileError if a file does not agree."""
    drawn = table(found)
    for name, text in (("parity.csv", drawn.csv()), ("parity.md", drawn.markdown() + "\n")):
        with written(out / name) as partial:
            partial.write_text(text, encoding="utf-8")
    wrong = [f"{one.name}: {'; '.join(one.problems)}" for one in found if one.problems]
    if wrong:
        raise ModelFileError(f"not what the model computes, see {out / 'parity.md'}: {' | '.join(wrong)}")


def _counted(path: Path, kind: Quantization, found: Sequence[Parity]) -> dict[str, Any]:
    held, parity = stored(path, kind), next(one for one in found if one.name == path.name)
    return {
        "bytes": held.bytes,
        "matrices": dict(held.types),
        "fallen_back": held.fallen_back,
        "positions": parity.found.positions,
        "argmax_agree": parity.found.agree,
        "largest_logit_difference": parity.found.largest,
    }
