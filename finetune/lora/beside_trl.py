"""Our loop beside trl's SFTTrainer: tokens per second and loss on rows not learned, in one run.

    pip install 'scribe-campus[trl]' && python -m finetune.lora.beside_trl examples.parquet --base MODEL

Same base, rows, held-out rows, adapter, optimizer, schedule and number of steps; each side in a process of its own, one
after the other. The loss of both is computed by the same code. What differs: trl computes every row by itself, padded
to the longest beside it, and the logits of all its ids. Tokens are those of the rows, padding not counted.
"""

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForCausalLM, AutoTokenizer

from finetune.lora import store
from finetune.lora.loop import Loop, split
from finetune.lora.network import adapted, lora
from finetune.lora.rows import Example, example
from finetune.lora.settings import StageSettings

SIDES = ("ours", "trl")


def ours(settings: StageSettings, examples: Sequence[Example], base: Path, folder: Path) -> dict[str, Any]:
    """Train with our loop."""
    torch.manual_seed(settings.seed)
    loop = Loop(adapted(settings, base), settings, examples, folder / "c.pt", {})
    before = loop.held_loss()
    began = time.perf_counter()
    loop.train(lambda done, total: None)
    seconds = time.perf_counter() - began - _looking(loop)
    return _said(loop, before, seconds, loop.progress.steps)


def trl(settings: StageSettings, examples: Sequence[Example], base: Path, folder: Path, beside: int) -> dict[str, Any]:
    """Train with SFTTrainer, `beside` rows in a pass; the loop is there only to compute the loss as ours does."""
    theirs = importlib.import_module("trl")  # an optional extra, as is what it brings along
    rows_of = importlib.import_module("datasets").Dataset.from_dict
    learned, _ = split(examples, settings.held)
    loop = Loop(adapted(settings, base), settings, examples, folder / "c.pt", {})
    columns = {"input_ids": [e.ids.tolist() for e in learned], "labels": [e.labels.tolist() for e in learned]}
    dtype = torch.bfloat16 if settings.precision == "bf16" else torch.float32
    network = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype=dtype)
    torch.manual_seed(settings.seed)
    trainer = theirs.SFTTrainer(
        model=network,
        args=theirs.SFTConfig(
            output_dir=str(folder),
            max_steps=loop.total,
            per_device_train_batch_size=beside,
            gradient_accumulation_steps=settings.rows // beside,
            learning_rate=settings.rate,
            lr_scheduler_type="cosine",
            warmup_steps=round(settings.warmup * loop.total),
            weight_decay=settings.weight_decay,
            max_grad_norm=settings.clip,
            optim="adamw_torch_fused",
            bf16=settings.precision == "bf16",
            use_cpu=settings.device == "cpu",
            gradient_checkpointing=settings.recompute,
            train_sampling_strategy="group_by_length",
            max_length=None,
            seed=settings.seed,
            save_strategy="no",
            logging_strategy="no",
            report_to=[],
            disable_tqdm=True,
            dataset_kwargs={"skip_prepare_dataset": True},
        ),
        train_dataset=rows_of(columns),
        processing_class=_with_padding(AutoTokenizer.from_pretrained(base, local_files_only=True)),
        peft_config=lora(settings),
    )
    before = loop.held_loss()
    began = time.perf_counter()
    trainer.train()
    seconds = time.perf_counter() - began
    _take_over(loop, trainer.model)
    return _said(loop, before, seconds, int(trainer.state.global_step))


def _take_over(loop: Loop, model: Any) -> None:
    theirs = {name.replace(".default.", "."): w for name, w in model.named_parameters() if w.requires_grad}
    if set(theirs) != set(loop.weights):
        raise RuntimeError(f"trl trained other weights: {sorted(set(theirs) ^ set(loop.weights))[:3]}")
    with torch.no_grad():
        for name, weight in loop.weights.items():
            weight.copy_(theirs[name])


def _with_padding(tokenizer: Any) -> Any:
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or "<|end_of_text|>"
    return tokenizer


def _looking(loop: Loop) -> float:
    """Seconds that looking at the watched rows took during the training: what is not in the steps' own time."""
    began = time.perf_counter()
    loop.held_loss()
    once = time.perf_counter() - began
    return once * sum(1 for point in loop.progress.points if point.held is not None)


def _said(loop: Loop, before: float | None, seconds: float, steps: int) -> dict[str, Any]:
    mean = sum(len(each.ids) for each in loop.learned) / len(loop.learned)
    rows = min(steps * loop.settings.rows, round(len(loop.learned) * loop.settings.epochs))
    return {
        "steps": steps,
        "rows": rows,
        "seconds": seconds,
        "tokens_per_second": rows * mean / seconds,
        "loss_before": before,
        "loss": loop.held_loss(),
    }


def chosen(path: Path, count: int, settings: StageSettings) -> list[Example]:
    """The first examples of a file."""
    return [made for row in store.read(path)[:count] if (made := example(row, settings.learn))]


def main() -> None:
    """Run both sides and print the table; with --side one of them, printing JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--count", type=int, default=320, help="rows taken of the file")
    parser.add_argument("--beside", type=int, default=4, help="rows that trl computes in a pass")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--precision", choices=["bf16", "f32"], default="bf16")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--recompute", action="store_true")
    parser.add_argument("--side", choices=SIDES)
    given = parser.parse_args()
    if given.side:
        print(json.dumps(_one(given)))
    else:
        results = {side: _process(side) for side in SIDES}
        Console().print(table(results))
        ratio = results["ours"]["tokens_per_second"] / results["trl"]["tokens_per_second"]
        apart = results["ours"]["loss"] - results["trl"]["loss"]
        print(f"ours is {ratio:.2f} times as fast; its loss differs by {apart:+.4f}")


def _one(given: argparse.Namespace) -> dict[str, Any]:
    settings = StageSettings(
        "single",
        rank=given.rank,
        alpha=2.0 * given.rank,
        dropout=0.0,
        epochs=given.epochs,
        rows=given.rows,
        rate=given.rate,
        precision=given.precision,
        recompute=given.recompute,
        held=0.1,
        watch=1,
        device=given.device,
    )
    examples = chosen(given.examples, given.count, settings)
    with TemporaryDirectory() as folder:
        if given.side == "ours":
            return ours(settings, examples, given.base, Path(folder))
        return trl(settings, examples, given.base, Path(folder), given.beside)


def _process(side: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "finetune.lora.beside_trl", *sys.argv[1:], "--side", side]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(results: dict[str, dict[str, Any]]) -> Table:
    """Both sides, one row each."""
    made = Table("side", "steps", "rows", "seconds", "tokens/s", "loss before", "loss")
    for side, row in results.items():
        numbers = (f"{row['seconds']:.1f}", f"{row['tokens_per_second']:.0f}", f"{row['loss_before']:.4f}")
        made.add_row(side, str(row["steps"]), str(row["rows"]), *numbers, f"{row['loss']:.4f}")
    return made


if __name__ == "__main__":
    main()
