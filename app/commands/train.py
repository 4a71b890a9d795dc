"""`scribe train`: from a pipeline's file to a model that the chat loads, as far as it is not made yet."""

import argparse
from pathlib import Path

from finetune.lora.estimate import find_card
from finetune.pipeline.config import Pipeline, load_pipeline
from finetune.pipeline.dry_run import format_dry_run
from finetune.pipeline.run import choose_steps, run_steps, tabulate_run
from finetune.pipeline.steps import RunFolder, list_steps
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_bytes
from scribe.plumbing.progress import show_progress
from scribe.plumbing.signals import clean_up_when_ended
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

GOOD = ("q8_0", "q4_k_m")
"""Which of the files is proposed for the chat; a small model loses too much in four bits."""

COPY = "pipeline.toml"
"""The pipeline's file beside what was made by it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, metavar="CONFIG.toml", help="such as finetune/configs/smollm2.toml")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="all files, model/ at its end")
    parser.add_argument("--only", default="", metavar="STEP", help="this step alone")
    parser.add_argument("--until", default="", metavar="STEP", help="the steps up to this one")
    parser.add_argument("--dry-run", action="store_true", help="say what it takes and what is done, do nothing")
    parser.add_argument("--card", metavar="NAME", help="for --dry-run: an accelerator's name, or its GiB")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    pipeline, place = load_pipeline(arguments.config), RunFolder(arguments.out)
    wanted = choose_steps(list_steps(pipeline, place), arguments.only, arguments.until)
    if arguments.card and not arguments.dry_run:
        raise UsageError("--card is for --dry-run; what trains is the device that the stages name")
    if arguments.dry_run:
        card = find_card(arguments.card or pipeline.model.card)
        print("\n".join(format_dry_run(pipeline, place, wanted, card)))
        return 0
    with clean_up_when_ended(), show_progress() as tell:
        ran = run_steps(wanted, place.folder, tell)
    write_bytes(place.folder / COPY, arguments.config.read_bytes())
    print(tabulate_run(ran).markdown())
    if not (arguments.only or arguments.until):
        print(_summarise(pipeline, place))
    return 0


def _summarise(pipeline: Pipeline, place: RunFolder) -> str:
    agreed = (place.model / "parity.md").read_text(encoding="utf-8")
    files = [place.model / f"model.{kind}.gguf" for kind in (*GOOD, *pipeline.export.quantizations)]
    first = next((path for path in files if path.exists()), None)
    return f"\n{agreed}" + (f"\nscribe chat --demo --model {first}" if first else "")
