"""`scribe train`: from a pipeline's file to a model that the chat loads, as far as it is not made yet."""

import argparse
import shutil
from pathlib import Path

from app.build import MakeBackend
from app.ending import cleaning_up
from app.settings import Settings
from finetune.lora import estimate
from finetune.pipeline import config, expected, running
from finetune.pipeline.config import Pipeline
from finetune.pipeline.steps import Place, steps
from finetune.whole import written
from scribe.errors import UsageError
from scribe.plumbing.progress import show_progress

GOOD = ("q8_0", "q4_k_m")
"""Which of the files is proposed for the chat; a small model loses too much in four bits."""

COPY = "pipeline.toml"
"""The pipeline's file beside what was made by it."""


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Run the steps that are due, or say what they take."""
    pipeline, place = config.load(arguments.config), Place.of(arguments.out)
    wanted = running.chosen(steps(pipeline, place), arguments.only, arguments.until)
    if arguments.card and not arguments.dry_run:
        raise UsageError("--card is for --dry-run; what trains is the device that the stages name")
    if arguments.dry_run:
        card = estimate.card(arguments.card or pipeline.model.card)
        print("\n".join(expected.lines(pipeline, place, wanted, card)))
        return 0
    with cleaning_up(), show_progress() as tell:
        ran = running.run(wanted, place.folder, tell)
    _keep(arguments.config, place.folder / COPY)
    print(running.table(ran).markdown())
    if not (arguments.only or arguments.until):
        print(_told(pipeline, place))
    return 0


def _keep(source: Path, copy: Path) -> None:
    with written(copy) as partial:
        shutil.copyfile(source, partial)


def _told(pipeline: Pipeline, place: Place) -> str:
    """How well the files agree with the model, and how to use them."""
    agreed = (place.model / "parity.md").read_text(encoding="utf-8")
    files = [place.model / f"model.{kind}.gguf" for kind in (*GOOD, *pipeline.export.quantizations)]
    first = next((path for path in files if path.exists()), None)
    return f"\n{agreed}" + (f"\nscribe chat --demo --model {first}" if first else "")
