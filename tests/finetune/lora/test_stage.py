"""Stages run for real on a two-layer model: what they write, how they go on, and what they refuse."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from bitsandbytes.functional import dequantize_4bit
from bitsandbytes.nn import Linear4bit
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from finetune.examples.rows import Example, TokenRow, make_example, write_rows
from finetune.export.merge import merge_adapter
from finetune.lora import stage
from finetune.lora.batches import pack, plan_run
from finetune.lora.loop import CurvePoint, TrainingLoop, scale_rate
from finetune.lora.network import load_network
from finetune.settings import StageSettings
from scribe.backends.hf import HfBackend
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.manifest import manifest_path, read_step
from scribe.plumbing.progress import OnProgress, ignore_progress

SMALL = StageSettings(
    "first", rank=4, alpha=8.0, dropout=0.1, epochs=2, batch_size=4, learning_rate=5e-3,
    precision="f32", validation_split=0.1, eval_count=2, device="cpu",
)  # fmt: skip
WEIGHTS = Path("adapter") / "adapter_model.safetensors"


def losses(folder: Path) -> list[str]:
    with (folder / "curve.csv").open(encoding="utf-8") as file:
        return [row["loss"] for row in csv.DictReader(file)]


def train(
    settings: StageSettings,
    examples: Path,
    base: Path,
    out: Path,
    on_progress: OnProgress = ignore_progress,
) -> None:
    stage.make_step("stage1", settings, examples, base, out).run(on_progress)


class Killed(Exception):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def first(base: Path, examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "stage1"
    train(SMALL, examples, base, out)
    return out


def logits(folder: Path, *adapters: Path) -> torch.Tensor:
    """What the model says of fixed ids, with the adapters merged in one after the other by peft."""
    network = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    for each in adapters:
        network = PeftModel.from_pretrained(network, each).merge_and_unload()
    with torch.no_grad():
        said: torch.Tensor = network(torch.arange(5, 60)[None]).logits
    return said


def test_a_stage_leaves_an_adapter_that_peft_reads_a_curve_that_falls_and_a_manifest(first: Path, base: Path) -> None:
    assert not torch.allclose(logits(base), logits(base, first / "adapter"), atol=1e-2)
    with (first / "curve.csv").open(encoding="utf-8") as file:
        points = list(csv.DictReader(file))
    assert float(points[-1]["validation_loss"]) < float(points[0]["loss"])
    assert (first / "curve.png").read_bytes().startswith(b"\x89PNG")
    made = read_step(first)
    assert made is not None and made.counts["steps"] == len(points) == 8
    assert made.counts["trainable"] == sum(w.numel() for w in load_file(first / WEIGHTS).values())
    assert made.counts["rows"] + made.counts["validation_rows"] == 18


def test_a_finished_stage_is_not_run_again_but_other_settings_are(
    first: Path, base: Path, examples: Path, tmp_path: Path
) -> None:
    told: list[int] = []
    train(SMALL, examples, base, first, lambda step, done, total: told.append(done))
    assert not told
    copy = shutil.copytree(first, tmp_path / "stage1")
    shutil.copy(manifest_path(first), manifest_path(copy))
    train(replace(SMALL, epochs=1), examples, base, copy, lambda step, done, total: told.append(done))
    assert told == [0, 0, 1, 2, 3, 4]
    assert (copy / WEIGHTS).read_bytes() != (first / WEIGHTS).read_bytes()


@pytest.mark.parametrize("at", [1, 5])
def test_a_stage_that_broke_off_ends_with_the_weights_of_one_that_did_not(
    first: Path, base: Path, examples: Path, tmp_path: Path, at: int
) -> None:
    often = replace(SMALL, checkpoint_seconds=1e-9)
    seen: list[int] = []

    def killed(step: str, done: int, total: int) -> None:
        seen.append(done)
        if done == at and len(seen) > 1:
            raise Killed

    with pytest.raises(Killed):
        train(often, examples, base, tmp_path / "stage1", killed)
    assert not (tmp_path / "stage1").exists()
    (tmp_path / ".stage1.work" / ".checkpoint.pt.x.partial").write_bytes(b"half")
    seen.clear()
    train(often, examples, base, tmp_path / "stage1", lambda step, done, total: seen.append(done))
    assert seen[1] == at
    assert (tmp_path / "stage1" / WEIGHTS).read_bytes() == (first / WEIGHTS).read_bytes()
    assert losses(tmp_path / "stage1") == losses(first)
    assert {path.name for path in (tmp_path / "stage1").iterdir()} == {path.name for path in first.iterdir()}


def test_a_stage_that_broke_off_at_its_very_end_does_not_train_anew(
    first: Path, base: Path, examples: Path, tmp_path: Path
) -> None:
    often, seen = replace(SMALL, checkpoint_seconds=1e-9), list[int]()
    manifest_path(tmp_path / "stage1").mkdir()  # so that it cannot be written
    with pytest.raises(OSError, match="directory"):
        train(often, examples, base, tmp_path / "stage1")
    manifest_path(tmp_path / "stage1").rmdir()
    train(often, examples, base, tmp_path / "stage1", lambda step, done, total: seen.append(done))
    assert seen == [0, 8]
    assert (tmp_path / "stage1" / WEIGHTS).read_bytes() == (first / WEIGHTS).read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"stage1", "stage1.manifest.json"}


def test_a_folder_that_holds_something_else_is_not_replaced(
    first: Path, base: Path, examples: Path, tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    for attempt in (
        lambda: train(SMALL, examples, base, tmp_path),
        lambda: merge_adapter(base, first / "adapter", tmp_path),
    ):
        with pytest.raises(UsageError, match="holds something else"):
            attempt()
    with pytest.raises(UsageError, match="is what is merged"):
        merge_adapter(base, first / "adapter", base)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_stage_killed_by_the_system_goes_on_to_the_same_weights(
    first: Path, base: Path, examples: Path, tmp_path: Path
) -> None:
    settings = replace(SMALL, checkpoint_seconds=1e-9)
    out = tmp_path / "stage1"
    code = (
        "import torch; from pathlib import Path; from finetune.lora.stage import make_step; "
        "from finetune.settings import StageSettings; torch.set_num_threads(1); "
        f"given = Path({str(examples)!r}), Path({str(base)!r}), Path({str(out)!r}); "
        f"make_step('stage1', {settings!r}, *given).run()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "OMP_NUM_THREADS": "1"})
    checkpoint = tmp_path / ".stage1.work" / stage.CHECKPOINT
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    train(settings, examples, base, out)
    assert (out / WEIGHTS).read_bytes() == (first / WEIGHTS).read_bytes()


def test_a_checkpoint_of_other_settings_is_not_gone_on_with(base: Path, rows: list[TokenRow], tmp_path: Path) -> None:
    made = [each for row in rows if (each := make_example(row, "first"))]
    loop = TrainingLoop(load_network(SMALL, base), SMALL, made, tmp_path / "c.pt", {"rate": 1})
    loop.run_step()
    loop.save()
    assert len(TrainingLoop(load_network(SMALL, base), SMALL, made, tmp_path / "c.pt", {"rate": 1}).points) == 1
    assert not TrainingLoop(load_network(SMALL, base), SMALL, made, tmp_path / "c.pt", {"rate": 2}).points


def test_adapters_refuse_weights_that_they_were_not_trained_on(
    first: Path, base: Path, examples: Path, tmp_path: Path
) -> None:
    merged = shutil.copytree(base, tmp_path / "merged")
    network = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    PeftModel.from_pretrained(network, first / "adapter").merge_and_unload().save_pretrained(merged)
    with pytest.raises(UsageError, match="trained on other weights"):
        train(replace(SMALL, init_adapter=str(first / "adapter")), examples, merged, tmp_path / "s2")
    with pytest.raises(ModelFileError, match="was trained on weights with the sha256"):
        HfBackend(merged, adapter=first / "adapter", device="cpu")
    train(replace(SMALL, stage="later", epochs=1), examples, merged, tmp_path / "s2")
    HfBackend(merged, adapter=tmp_path / "s2" / "adapter", device="cpu")


def test_four_bits_train_an_adapter_for_the_full_weights(base: Path, examples: Path, tmp_path: Path) -> None:
    train(replace(SMALL, load_in_4bit=True, precision="bf16", epochs=1), examples, base, tmp_path / "stage1")
    assert not torch.allclose(logits(base), logits(base, tmp_path / "stage1" / "adapter"), atol=1e-2)


def test_gradients_go_through_four_bits_also_after_the_watched_rows_were_looked_at(
    base: Path, rows: list[TokenRow], tmp_path: Path
) -> None:
    made = [each for row in rows if (each := make_example(row, "first"))]
    settings = replace(SMALL, load_in_4bit=True, dropout=0.0)
    four = TrainingLoop(load_network(settings, base), settings, made, tmp_path / "c.pt", {})
    full = replace(settings, load_in_4bit=False)
    plain = TrainingLoop(load_network(full, base), full, made, tmp_path / "c.pt", {})
    pairs = zip(four.model.named_modules(), plain.model.modules(), strict=True)
    kinds = [(one, other) for (_, one), other in pairs if isinstance(one, Linear4bit)]
    assert len(kinds) == 14
    for one, other in kinds:
        other.weight.data = dequantize_4bit(one.weight.data, one.weight.quant_state).to(torch.float32)
    four.validation_loss()
    bunch = [pack(made[:3])]
    found = [loop.accumulate_gradients(bunch) for loop in (four, plain)]
    assert found[0] == pytest.approx(found[1], rel=1e-4)
    grads = [{name: weight.grad for name, weight in loop.weights.items()} for loop in (four, plain)]
    for name, grad in grads[0].items():
        wanted = grads[1][name]
        assert grad is not None and wanted is not None and torch.allclose(grad, wanted, atol=1e-4), name


def test_rows_of_another_tokenizer_and_stages_with_nothing_to_learn_are_refused(
    base: Path, examples: Path, rows: list[TokenRow], tmp_path: Path
) -> None:
    small = shutil.copytree(base, tmp_path / "small")
    config = small / "config.json"
    config.write_text(json.dumps(json.loads(config.read_bytes()) | {"vocab_size": 300}), "utf-8")
    with pytest.raises(UsageError, match="knows 300; make the examples with its tokenizer"):
        stage.load_examples(examples, "first", small)
    write_rows(tmp_path / "one.parquet", [row for row in rows if row.id == "r0-4"])
    with pytest.raises(UsageError, match="no row with anything to learn in stage later"):
        stage.load_examples(tmp_path / "one.parquet", "later", base)


@pytest.mark.parametrize(("alpha", "scale"), [(0.0, 2.0), (8.0, 0.5)])
def test_an_alpha_that_is_not_given_goes_with_the_rank(base: Path, alpha: float, scale: float) -> None:
    model = load_network(StageSettings("first", rank=16, alpha=alpha, precision="f32", device="cpu"), base)
    assert {module.scaling["default"] for module in model.modules() if hasattr(module, "lora_A")} == {scale}


def test_the_rate_rises_straight_and_falls_on_a_cosine() -> None:
    settings = replace(SMALL, warmup_ratio=0.1, min_lr_ratio=0.2)
    rates = [scale_rate(step, 100, settings) for step in range(100)]
    assert rates[0] == pytest.approx(0.1) and rates[9] == rates[10] == 1.0
    assert rates[55] == pytest.approx(0.6) and 0.2 < rates[99] < 0.201


def test_part_of_an_epoch_takes_part_of_the_rows(rows: list[TokenRow]) -> None:
    made: list[Example] = [each for row in rows if (each := make_example(row, "first"))]
    whole, half = (len(plan_run(made, replace(SMALL, epochs=epochs))) for epochs in (2.0, 1.5))
    assert (whole, half) == (10, 8)


def test_a_curve_of_one_step_without_validation_can_be_drawn(tmp_path: Path) -> None:
    stage.write_curve(tmp_path, [CurvePoint(1, 4, 100, 1e-3, 2.0, 1.0, 0.5)], "one step")
    assert (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()[1].startswith("1,4,100,0.001,2.0")
