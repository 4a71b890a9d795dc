"""What a stage looks at before its first step: which arithmetic is faster here, and how large a pass may be."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from finetune.examples.rows import UNLABELLED, Example
from finetune.llama import SHAPES
from finetune.lora import machine
from finetune.lora.machine import MachineChoice
from finetune.lora.network import find_dtype
from finetune.lora.stage import make_step
from finetune.settings import StageSettings
from scribe.plumbing.manifest import read_step

SMOLLM2 = SHAPES["135m"]
SETTINGS = StageSettings(
    "single", rank=32, micro_batch_size=8, max_tokens_per_batch=8192, gradient_checkpointing=False, device="cpu"
)


def example(length: int) -> Example:
    ids = np.arange(length, dtype=np.int64)
    return Example("x", ids, np.where(ids > length - 100, ids, UNLABELLED), 10)


def test_the_precision_is_one_that_was_measured_here(tmp_path: Path) -> None:
    assert 0 < machine.measure_seconds(torch.float32, "cpu") < 10
    made = machine.choose_machine(SETTINGS, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=20.0)
    assert made.precision in ("bf16", "f32")
    assert find_dtype(made.apply(SETTINGS)) is (torch.bfloat16 if made.precision == "bf16" else torch.float32)


def test_a_precision_that_is_said_is_taken(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="f32")
    made = machine.choose_machine(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=1000.0)
    assert made == MachineChoice("f32", 8192)


def test_a_run_that_goes_on_keeps_the_choice_it_began_with(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="f32")
    first = machine.choose_machine(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=8.0)
    assert machine.choose_machine(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=1000.0) == first


@pytest.mark.parametrize(("less", "more"), [(4.0, 8.0), (8.0, 16.0)])
def test_with_less_memory_a_pass_is_smaller(less: float, more: float) -> None:
    settings = replace(SETTINGS, precision="f32")
    small, large = (machine.fit_tokens(settings, SMOLLM2, [example(500)], free) for free in (less, more))
    assert 500 <= small < large < settings.max_tokens_per_batch


def test_a_pass_always_holds_the_longest_example() -> None:
    assert machine.fit_tokens(replace(SETTINGS, precision="f32"), SMOLLM2, [example(3000)], 0.1) == 3000


def test_a_gpu_is_given_the_passes_that_were_asked_for(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="bf16")
    made = machine.choose_machine(said, "cuda", SMOLLM2, [example(500)], tmp_path / "machine.json", free=0.1)
    assert made.tokens == said.max_tokens_per_batch


def test_a_stage_says_what_it_runs_with_and_the_manifest_keeps_it(base: Path, examples: Path, tmp_path: Path) -> None:
    said: list[str] = []
    settings = StageSettings("first", rank=4, epochs=1, batch_size=8, validation_split=0.0, device="cpu")
    step = make_step("stage1", settings, examples, base, tmp_path / "stage1")
    step.run(lambda part, done, total: said.append(part))
    made = read_step(tmp_path / "stage1")
    assert made is not None and "ids a pass" in made.counts["machine"]
    assert len(said) > 2 and all(made.counts["machine"] in part for part in said[1:])
