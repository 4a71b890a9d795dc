"""What a stage looks at before its first step: which arithmetic is faster here, and how large a pass may be."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from finetune.lora import machine, stages
from finetune.lora.machine import MachineChoice
from finetune.lora.network import dtype_of
from finetune.lora.rows import UNLABELLED, Example
from finetune.lora.settings import StageSettings
from finetune.lora.shapes import Shape

SMOLLM2 = Shape(49_152, 576, 30, 1536, 9, 3, 64, tied=True)
SETTINGS = StageSettings("single", rank=32, together=8, tokens=8192, recompute=False, device="cpu")


def example(length: int) -> Example:
    ids = np.arange(length, dtype=np.int64)
    return Example("x", ids, np.where(ids > length - 100, ids, UNLABELLED), 10)


def test_the_precision_is_that_in_which_this_machine_multiplies_faster(tmp_path: Path) -> None:
    made = machine.choose(SETTINGS, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=20.0)
    assert min(made.bf16, made.f32) > 0
    assert made.precision == ("bf16" if made.bf16 > made.f32 else "f32")
    assert dtype_of(made.apply(SETTINGS)) is (torch.bfloat16 if made.precision == "bf16" else torch.float32)


def test_a_precision_that_is_said_is_taken_without_measuring(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="f32")
    made = machine.choose(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=1000.0)
    assert made == MachineChoice("f32", 8192)


def test_a_run_that_goes_on_keeps_the_choice_it_began_with(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="f32")
    first = machine.choose(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=8.0)
    assert machine.choose(said, "cpu", SMOLLM2, [example(500)], tmp_path / "machine.json", free=1000.0) == first


@pytest.mark.parametrize(("less", "more"), [(4.0, 8.0), (8.0, 16.0)])
def test_with_less_memory_a_pass_is_smaller(less: float, more: float) -> None:
    settings = replace(SETTINGS, precision="f32")
    small, large = (machine.fit_tokens(settings, SMOLLM2, [example(500)], free) for free in (less, more))
    assert 500 <= small < large < settings.tokens


def test_a_pass_always_holds_the_longest_example() -> None:
    assert machine.fit_tokens(replace(SETTINGS, precision="f32"), SMOLLM2, [example(3000)], 0.1) == 3000


def test_a_gpu_is_given_the_passes_that_were_asked_for(tmp_path: Path) -> None:
    said = replace(SETTINGS, precision="bf16")
    made = machine.choose(said, "cuda", SMOLLM2, [example(500)], tmp_path / "machine.json", free=0.1)
    assert made.tokens == said.tokens


def test_a_stage_says_what_it_runs_with_and_the_manifest_keeps_it(base: Path, examples: Path, tmp_path: Path) -> None:
    said: list[str] = []
    settings = StageSettings("first", rank=4, epochs=1, rows=8, held=0.0, device="cpu")
    stages.run(settings, examples, base, tmp_path / "stage1", lambda step, done, total: said.append(step))
    made = stages.manifest.read(tmp_path / "stage1")
    assert made is not None and "GFLOP/s" in made.counts["machine"]
    assert all(made.counts["machine"] in step for step in said)
