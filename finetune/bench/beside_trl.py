"""Our loop beside trl's SFTTrainer: tokens per second and loss on rows not learned, in one run.

    pip install 'scribe-campus[trl]' && python -m finetune.bench.beside_trl examples.parquet --base MODEL

Same base, rows, validation rows, adapter, optimizer, schedule and number of steps; each side in a process of its own,
one after the other. The loss of both is computed by the same code. What differs: trl computes every row by itself,
padded to the longest beside it, and the logits of all its ids. Tokens are those of the rows, padding not counted.
"""

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from eval.table import Table
from finetune.examples.rows import Example, make_example, read_rows
from finetune.lora.loop import TrainingLoop
from finetune.lora.network import find_dtype, load_network, make_lora_config
from finetune.settings import StageSettings

SIDES = ("ours", "trl")
SETTINGS = StageSettings(
    "single",
    rank=32,
    dropout=0.0,
    batch_size=16,
    learning_rate=1e-3,
    gradient_checkpointing=False,
    validation_split=0.1,
    eval_count=1,
)


def train_ours(settings: StageSettings, examples: Sequence[Example], base: Path, folder: Path) -> dict[str, Any]:
    """Train with our loop."""
    torch.manual_seed(settings.seed)
    loop = TrainingLoop(load_network(settings, base), settings, examples, folder / "c.pt", {})
    before = loop.validation_loss()
    loop.train(lambda done, total: None)
    return _describe(loop, before, loop.points[-1].seconds, len(loop.points))


def train_trl(
    settings: StageSettings, examples: Sequence[Example], base: Path, folder: Path, micro_batch_size: int
) -> dict[str, Any]:
    """Train with SFTTrainer; the loop is there only to compute the loss as ours does."""
    trl = importlib.import_module("trl")  # an optional extra, as is what it brings along
    datasets = importlib.import_module("datasets")
    loop = TrainingLoop(load_network(settings, base), settings, examples, folder / "c.pt", {})
    columns = {"input_ids": [e.ids.tolist() for e in loop.learned], "labels": [e.labels.tolist() for e in loop.learned]}
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token or "<|end_of_text|>"
    torch.manual_seed(settings.seed)
    trainer = trl.SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype=find_dtype(settings)),
        args=trl.SFTConfig(
            output_dir=str(folder),
            max_steps=loop.total,
            per_device_train_batch_size=micro_batch_size,
            gradient_accumulation_steps=settings.batch_size // micro_batch_size,
            learning_rate=settings.learning_rate,
            lr_scheduler_type="cosine",
            warmup_steps=round(settings.warmup_ratio * loop.total),
            weight_decay=settings.weight_decay,
            max_grad_norm=settings.max_grad_norm,
            optim="adamw_torch_fused",
            bf16=settings.precision == "bf16",
            use_cpu=settings.device == "cpu",
            gradient_checkpointing=settings.gradient_checkpointing,
            train_sampling_strategy="group_by_length",
            max_length=None,
            seed=settings.seed,
            save_strategy="no",
            logging_strategy="no",
            report_to=[],
            disable_tqdm=True,
            dataset_kwargs={"skip_prepare_dataset": True},
        ),
        train_dataset=datasets.Dataset.from_dict(columns),
        processing_class=tokenizer,
        peft_config=make_lora_config(settings),
    )
    before = loop.validation_loss()
    began = time.perf_counter()
    trainer.train()
    seconds = time.perf_counter() - began
    _take_over(loop, trainer.model)
    return _describe(loop, before, seconds, int(trainer.state.global_step))


def _take_over(loop: TrainingLoop, model: Any) -> None:
    theirs = {name.replace(".default.", "."): w for name, w in model.named_parameters() if w.requires_grad}
    with torch.no_grad():
        for name, weight in loop.weights.items():
            weight.copy_(theirs[name])


def _describe(loop: TrainingLoop, before: float | None, seconds: float, steps: int) -> dict[str, Any]:
    mean = sum(len(each.ids) for each in loop.learned) / len(loop.learned)
    rows = min(steps * loop.settings.batch_size, round(len(loop.learned) * loop.settings.epochs))
    return {
        "steps": steps,
        "rows": rows,
        "seconds": seconds,
        "tokens_per_second": rows * mean / seconds,
        "loss_before": before,
        "loss": loop.validation_loss(),
    }


def choose_examples(path: Path, count: int, settings: StageSettings) -> list[Example]:
    """The first examples of a file."""
    return [made for row in read_rows(path)[:count] if (made := make_example(row, settings.stage))]


def main() -> None:
    """Run both sides and print the table; with --side one of them, printing JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--count", type=int, default=320, help="rows taken of the file")
    parser.add_argument("--micro-batch-size", type=int, default=4, help="rows that trl computes in a pass")
    parser.add_argument("--precision", choices=["bf16", "f32"], default="bf16")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--side", choices=SIDES)
    given = parser.parse_args()
    if given.side:
        settings = replace(SETTINGS, precision=given.precision, device=given.device)
        examples = choose_examples(given.examples, given.count, settings)
        with TemporaryDirectory() as folder:
            train = train_ours if given.side == "ours" else partial(train_trl, micro_batch_size=given.micro_batch_size)
            print(json.dumps(train(settings, examples, given.base, Path(folder))))
        return
    command = [sys.executable, "-m", "finetune.bench.beside_trl", *sys.argv[1:], "--side"]
    results: dict[str, dict[str, Any]] = {}
    for side in SIDES:
        done = subprocess.run([*command, side], check=True, stdout=subprocess.PIPE, text=True)
        results[side] = json.loads(done.stdout.splitlines()[-1])
    rows = [(side, *result.values()) for side, result in results.items()]
    print(Table("trl", "Our loop beside trl", ("side", *results["ours"]), rows).markdown())
    ratio = results["ours"]["tokens_per_second"] / results["trl"]["tokens_per_second"]
    apart = results["ours"]["loss"] - results["trl"]["loss"]
    print(f"ours is {ratio:.2f} times as fast; its loss differs by {apart:+.4f}")


if __name__ == "__main__":
    main()
