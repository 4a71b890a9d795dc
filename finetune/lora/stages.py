"""A stage of the training: from rows and a base to an adapter and its loss curve.

    python -m finetune.lora.stages examples.parquet --base MODEL --out runs/x/stage1 --learn first --rank 32

A killed run goes on from its last checkpoint, and ends with the same weights as one that was not killed.
"""

import argparse
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import torch
from tokenizers import Tokenizer

from finetune import manifest
from finetune.lora import adapters, curves, machine, shapes, store
from finetune.lora.examples import TOKENIZER
from finetune.lora.loop import Loop
from finetune.lora.network import adapted, device_of, lora
from finetune.lora.rows import Example, Stage, example
from finetune.lora.settings import StageSettings
from finetune.manifest import Tell, quiet
from finetune.sections import settings as section
from finetune.telling import shown
from finetune.weights import hash_weights
from finetune.whole import clear, refuse_foreign
from scribe.errors import ScribeError, UsageError

ADAPTER = "adapter"
"""The adapter's folder in a stage's folder."""

CHECKPOINT, MACHINE, MADE = "checkpoint.pt", "machine.json", "made"
_NO_MATTER = ("checkpoint", "device", "threads", "watch")
"""Settings that change when or where something is computed, not what comes out."""


def inputs(
    settings: StageSettings, examples: Path, base: Path, below: Path | None = None, before: Path | None = None
) -> dict[str, Path]:
    """What a stage reads, by the names that its manifest gives them; see `run`."""
    known = {"below": below, "begin": before or (Path(settings.begin).expanduser() if settings.begin else None)}
    return {"examples": examples, "base": base} | {name: path for name, path in known.items() if path}


def step_name(settings: StageSettings) -> str:
    """What the stage is called on the screen and in its manifest."""
    return f"stage {settings.learn}"


def run(
    settings: StageSettings,
    examples: Path,
    base: Path,
    out: Path,
    tell: Tell = quiet,
    below: Path | None = None,
    before: Path | None = None,
) -> None:
    """Train an adapter into `out`: `adapter/`, `curve.csv` and `curve.png`; nothing to do if they are there already.

    examples: of `finetune.lora.examples`. base: a model folder; for a second stage that with the first one merged in,
    or the same as before and `below`, the first stage's adapter. before: the adapter of a stage to go on from, in place
    of the settings' `begin`. Raises RecordError and UsageError for rows that do
    not fit or an `out` that holds something else, ModelFileError for a base that cannot be loaded, FloatingPointError
    if the loss is lost.
    """
    step, given = step_name(settings), inputs(settings, examples, base, below, before)
    work = out.with_name(f".{out.name}.work")
    if manifest.is_done(out, step, given, settings):
        shutil.rmtree(work, ignore_errors=True)
        return
    refuse_foreign(out, curves.CSV)
    rows = usable(examples, settings.learn, base)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    work.mkdir(parents=True, exist_ok=True)
    clear(work)  # of half a checkpoint, of a run that was killed while it wrote
    chosen = machine.choose(settings, device_of(settings), shapes.named(str(base)), rows, work / MACHINE)
    here = chosen.apply(settings)
    model = adapted(here, base, below, given.get("begin"))
    loop = Loop(model, here, rows, work / CHECKPOINT, _key(here, given), worth(settings, base))
    loop.train(lambda done, total: tell(f"{step} in {chosen.describe()}", done, total))
    _write(work / MADE, loop, settings, base, step)
    shutil.rmtree(out, ignore_errors=True)
    (work / MADE).replace(out)
    seconds = loop.progress.points[-1].seconds
    told = counts(loop) | {"machine": chosen.describe()}
    manifest.finish(out, step, given, settings, told, seconds, [hash_weights(base)])
    shutil.rmtree(work)  # last, so that a run killed before need not train anew


def usable(path: Path, learn: Stage, base: Path) -> list[Example]:
    """What this stage learns of a file's rows. Raises UsageError if that is nothing or the base has not these ids."""
    made = [found for row in store.read(path) if (found := example(row, learn))]
    if not made:
        raise UsageError(f"{path} has no row with anything to learn in stage {learn}")
    size = int(json.loads((base / "config.json").read_bytes())["vocab_size"])
    highest = max(int(each.ids.max()) for each in made)
    if highest >= size:
        raise UsageError(f"{path} has the id {highest}, but {base} knows {size}; make the examples with its tokenizer")
    return made


def worth(settings: StageSettings, base: Path) -> torch.Tensor | None:
    """What each word of a base's vocabulary counts as a target, (words,), float32; None where all count the same."""
    if settings.figures == 1.0:
        return None
    tokenizer = Tokenizer.from_file(str(base / TOKENIZER))
    words = (tokenizer.decode([id], skip_special_tokens=False) for id in range(tokenizer.get_vocab_size()))
    return torch.tensor([settings.figures if word.strip().isdecimal() else 1.0 for word in words])


def counts(loop: Loop) -> dict[str, Any]:
    """What the manifest says of a finished run."""
    last = loop.progress.points[-1]
    held = [point.held for point in loop.progress.points if point.held is not None]
    return {
        "rows": len(loop.learned),
        "rows_watched": len(loop.watched),
        "steps": last.step,
        "tokens": last.tokens,
        "trainable": sum(weight.numel() for weight in loop.weights.values()),
        "loss": last.loss,
        "held_loss": held[-1] if held else None,
        "tokens_per_second": round(last.tokens / max(last.seconds, 1e-9), 1),
    }


def _key(settings: StageSettings, given: Mapping[str, Path]) -> dict[str, Any]:
    """What a checkpoint must have been made from to be gone on with."""
    said = {name: value for name, value in asdict(settings).items() if name not in _NO_MATTER}
    return said | {name: manifest.digest(path) for name, path in given.items()}


def _write(work: Path, loop: Loop, settings: StageSettings, base: Path, title: str) -> None:
    shutil.rmtree(work, ignore_errors=True)
    adapters.save(work / ADAPTER, loop.weights, lora(settings), base)
    curves.write(work, loop.progress.points, title)


def main() -> None:
    """Run one stage, and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--below", type=Path, help="adapter of an earlier stage that acts but is not trained")
    parser.add_argument("--begin", help="adapter to go on from")
    kinds = {"epochs": float, "rank": int, "alpha": float, "rate": float, "rows": int, "seed": int, "threads": int}
    parser.add_argument("--learn", choices=get_args(Stage), required=True)
    for name, kind in kinds.items():
        parser.add_argument(f"--{name}", type=kind)
    given = parser.parse_args()
    names = [field.name for field in fields(StageSettings)]
    told = {name: value for name, value in vars(given).items() if name in names and value is not None}
    try:
        with shown() as tell:
            run(section(StageSettings, told, given.learn), given.examples, given.base, given.out, tell, given.below)
    except (ScribeError, OSError, FloatingPointError) as error:
        parser.exit(2, f"{error}\n")
    made = manifest.read(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
