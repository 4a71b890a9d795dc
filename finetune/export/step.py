"""The pipeline's last step: merge, write GGUF files, hold them against the model.

`OUT` then holds hf/ (merged weights), model.f16.gguf and so on, and parity.csv. The chat takes any of the files by
path: `[model] path = "OUT/model.q8_0.gguf"`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gguf

from data.pretrained.adapter import read_json
from finetune.adapters import check_base
from finetune.export.merge import MERGED, merge_adapter
from finetune.export.model_gguf import count_matrix_types, export_gguf
from finetune.export.parity import Parity, measure_parity, tabulate
from finetune.settings import Dtype, ExportSettings, Quantization, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe.backends.weights import hash_weights
from scribe.gguf.file import WEIGHTS_KEY
from scribe.plumbing.errors import ModelFileError
from scribe.plumbing.files import remove_partials, write_text
from scribe.plumbing.progress import OnProgress

STEP = "export"


def make_step(settings: ExportSettings, base: Path, adapter: Path, trajectories: Path, out: Path) -> PipelineStep:
    """The step that makes everything of `out` that is not there yet.

    base: the model folder that `adapter` (peft's format) was trained on. trajectories: what parity is measured on.
    Raises UsageError or ModelFileError; also if an exported file does not compute what the model computes.
    """
    inputs = {"base": base, "adapter": adapter, "trajectories": trajectories}
    return PipelineStep(STEP, STEP, out, inputs, settings, partial(_make, settings, base, adapter, trajectories, out))


def make_merge_step(dtype: Dtype, base: Path, adapter: Path, out: Path) -> PipelineStep:
    """The step that merges an adapter into its base for a stage on top of it."""

    def make(on_progress: OnProgress) -> StepResult:
        tell = partial(on_progress, "merge")
        return StepResult({}, [merge_adapter(base, adapter, out, dtype, lambda _, done, total: tell(done, total))])

    return PipelineStep("merge", "merge", out, {"base": base, "adapter": adapter}, {"dtype": dtype}, make)


def _make(
    settings: ExportSettings, base: Path, adapter: Path, trajectories: Path, out: Path, on_progress: OnProgress
) -> StepResult:
    check_base(adapter, base)
    out.mkdir(parents=True, exist_ok=True)
    remove_partials(out)
    merged = _merge(settings, base, adapter, out, on_progress)
    files = [_export(merged, out / f"model.{kind}.gguf", kind) for kind in settings.quantizations]
    given = trajectories, settings.parity_rows, courses_folder(settings.courses)
    found = measure_parity(merged, files, *given, on_progress) if files else []
    _judge(found, out)
    counts = {path.name: _count(path, found) for path in files}
    return StepResult(counts, [hash_weights(merged)])


def _merge(settings: ExportSettings, base: Path, adapter: Path, out: Path, on_progress: OnProgress) -> Path:
    """The merged folder, made unless it is there already and says truly what it was made of."""
    merged = out / "hf"
    made = read_json(merged / MERGED) if (merged / MERGED).exists() else {}
    wanted = {"base": hash_weights(base), "adapter": hash_weights(adapter), "dtype": settings.dtype}
    if not wanted.items() <= made.items() or made["sha256"] != hash_weights(merged):
        merge_adapter(base, adapter, merged, settings.dtype, on_progress)
    return merged


def _export(folder: Path, path: Path, kind: Quantization) -> Path:
    """The GGUF file, made unless it is there already; it appears whole, and says of which weights it is."""
    if path.exists():
        field = gguf.GGUFReader(path).fields.get(WEIGHTS_KEY)
        if field and field.contents() == hash_weights(folder):
            return path
    return export_gguf(folder, path, kind)


def _judge(found: Sequence[Parity], out: Path) -> None:
    """Write the table; raise ModelFileError if a file does not agree."""
    table = tabulate(found)
    write_text(out / "parity.csv", table.csv())
    write_text(out / "parity.md", table.markdown() + "\n")
    wrong = [f"{one.name}: {'; '.join(one.problems)}" for one in found if one.problems]
    if wrong:
        raise ModelFileError(f"not what the model computes, see {out / 'parity.md'}: {' | '.join(wrong)}")


def _count(path: Path, found: Sequence[Parity]) -> Mapping[str, Any]:
    parity = next(one for one in found if one.name == path.name)
    return {
        "bytes": parity.bytes,
        "matrices": count_matrix_types(path),
        "positions": len(parity.positions),
        "argmax_agree": int(parity.positions["agree"].sum()),
        "largest_logit_difference": parity.largest,
    }
