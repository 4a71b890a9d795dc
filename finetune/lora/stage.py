"""A stage of the training: from rows and a base to an adapter and its loss curve.

A killed run goes on from its last checkpoint, and ends with the same weights as one that was not killed.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
import torch

from finetune.adapters import note_base, write_adapter
from finetune.examples.rows import Example, make_example, read_rows
from finetune.llama import read_llama
from finetune.lora.loop import CurvePoint, TrainingLoop
from finetune.lora.machine import choose_machine, keep_freed_memory
from finetune.lora.network import find_device, load_network, make_lora_config
from finetune.settings import Stage, StageSettings
from finetune.step import PipelineStep, StepResult
from scribe.backends.weights import hash_weights
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import hash_path, refuse_foreign, remove_partials
from scribe.plumbing.progress import OnProgress

ADAPTER = "adapter"
"""The adapter's folder in a stage's folder."""
CURVE, CURVE_PICTURE = "curve.csv", "curve.png"
CHECKPOINT, MACHINE, MADE = "checkpoint.pt", "machine.json", "made"
SMOOTHING = 0.9
"""How much of the smoothed line's last value its next one keeps."""
_IRRELEVANT = ("checkpoint_seconds", "device", "threads", "eval_count")
"""Settings that change when or where something is computed, not what comes out."""


def make_step(
    name: str, settings: StageSettings, examples: Path, base: Path, out: Path, init: Path | None = None
) -> PipelineStep:
    """The step that trains an adapter into `out`: `adapter/`, `curve.csv` and `curve.png`.

    examples: rows that `finetune.examples` made with the tokenizer of `base`, a model folder; for a second stage that
    with the first one merged in. init: the adapter of a stage to go on from, instead of the settings' `init_adapter`.

    Raises RecordError and UsageError for rows that do not fit or an `out` that holds something else, ModelFileError for
    a base that cannot be loaded, FloatingPointError if the loss is lost.
    """
    inputs = {"examples": examples, "base": base}
    if init or settings.init_adapter:
        inputs["init_adapter"] = init or Path(settings.init_adapter).expanduser()
    work = out.with_name(f".{out.name}.work")
    kind = f"stage {settings.stage}"

    def make(on_progress: OnProgress) -> StepResult:
        return _train(kind, settings, inputs, out, work, on_progress)

    return PipelineStep(name, kind, out, inputs, settings, make, work)


def _train(
    kind: str, settings: StageSettings, inputs: Mapping[str, Path], out: Path, work: Path, on_progress: OnProgress
) -> StepResult:
    refuse_foreign(out, CURVE)
    base = inputs["base"]
    examples = load_examples(inputs["examples"], settings.stage, base)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    work.mkdir(parents=True, exist_ok=True)
    remove_partials(work)  # of half a checkpoint, of a run that was killed while it wrote
    machine = choose_machine(settings, find_device(settings), read_llama(base), examples, work / MACHINE)
    here = machine.apply(settings)
    keep_freed_memory()
    model = load_network(here, base, inputs.get("init_adapter"))
    key = {name: value for name, value in asdict(here).items() if name not in _IRRELEVANT}
    key |= {name: hash_path(path) for name, path in inputs.items()}
    loop = TrainingLoop(model, here, examples, work / CHECKPOINT, key)
    loop.train(lambda done, total: on_progress(f"{kind} in {machine.describe()}", done, total))
    made = work / MADE
    shutil.rmtree(made, ignore_errors=True)
    config = make_lora_config(settings)
    config.base_model_name_or_path = base.name  # peft notes the first base even for a stage on a merged one
    write_adapter(made / ADAPTER, loop.weights, config)
    note_base(made / ADAPTER, base)
    write_curve(made, loop.points, kind)
    shutil.rmtree(out, ignore_errors=True)
    made.replace(out)
    counts = _count(loop) | {"machine": machine.describe()}
    return StepResult(counts, [hash_weights(base)], loop.points[-1].seconds)


def load_examples(path: Path, stage: Stage, base: Path) -> list[Example]:
    """What this stage learns of a file's rows. Raises UsageError if that is nothing or the base has not these ids."""
    made = [found for row in read_rows(path) if (found := make_example(row, stage))]
    if not made:
        raise UsageError(f"{path} has no row with anything to learn in stage {stage}")
    size = int(json.loads((base / "config.json").read_bytes())["vocab_size"])
    highest = max(int(each.ids.max()) for each in made)
    if highest >= size:
        raise UsageError(f"{path} has the id {highest}, but {base} knows {size}; make the examples with its tokenizer")
    return made


def _count(loop: TrainingLoop) -> dict[str, Any]:
    """What the manifest says of a finished run."""
    last = loop.points[-1]
    looked = [point.validation_loss for point in loop.points if point.validation_loss is not None]
    return {
        "rows": len(loop.learned),
        "validation_rows": len(loop.validation),
        "steps": last.step,
        "tokens": last.tokens,
        "trainable": sum(weight.numel() for weight in loop.weights.values()),
        "loss": last.loss,
        "validation_loss": looked[-1] if looked else None,
        "tokens_per_second": round(last.tokens / max(last.seconds, 1e-9), 1),
    }


def write_curve(folder: Path, points: Sequence[CurvePoint], title: str) -> None:
    """Write curve.csv and curve.png: the loss of each step, a smoothed line through it, and the validation loss."""
    from matplotlib.figure import Figure  # half a second, which only this needs

    curve = pl.DataFrame([asdict(point) for point in points], infer_schema_length=None)
    curve.write_csv(folder / CURVE)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    smoothed = curve["loss"].ewm_mean(alpha=1 - SMOOTHING)
    axes.plot(curve["step"], curve["loss"], color="#9db8d2", linewidth=0.8, label="of the step's rows")
    axes.plot(curve["step"], smoothed, color="#1f4e79", label="smoothed")
    looked = curve.filter(pl.col("validation_loss").is_not_null())
    if not looked.is_empty():
        axes.plot(looked["step"], looked["validation_loss"], "o-", color="#c55a11", label="of rows not learned")
    axes.set(xlabel="step", ylabel="loss per label (nats)", title=title, ylim=(0, None))
    axes.legend()
    figure.savefig(folder / CURVE_PICTURE, dpi=120, metadata={"Software": None})
