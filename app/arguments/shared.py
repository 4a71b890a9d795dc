"""What several commands have in common: how one is made, whose question it is, and which model answers."""

import argparse
from typing import Any

from app.settings import BACKENDS, DIALECT_NAMES, PROMPT_NAMES


def command(commands: Any, name: str, what: str, run: str) -> argparse.ArgumentParser:
    """One command. run: module:function in `app`, imported when it is run."""
    made: argparse.ArgumentParser = commands.add_parser(name, help=what, description=f"Scribe: {what}.")
    made.set_defaults(run=f"app.{run}")
    return made


def add_student(command: argparse.ArgumentParser) -> None:
    """Which course and which of its students."""
    command.add_argument("--course", help="id or alias of the course")
    command.add_argument("--student", required=True, metavar="ID", help="`scribe students` lists them")


def add_model(command: argparse.ArgumentParser) -> None:
    """Which model answers."""
    group = command.add_argument_group("model", "without these, the small model that comes with Scribe")
    group.add_argument("--backend", choices=BACKENDS)
    group.add_argument("--model", metavar="PATH_OR_NAME", help="GGUF file, model folder or name at the API")
    group.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API")
    group.add_argument("--adapter", metavar="DIR", help="LoRA adapter (hf: folder, llama: GGUF file)")
    group.add_argument("--quantization", choices=("4bit", "8bit"), help="weights in bitsandbytes (hf)")
    group.add_argument("--dialect", choices=DIALECT_NAMES, help="how the model writes calls")
    group.add_argument("--prompt", choices=PROMPT_NAMES, help="tell it rules and tools, or not; ours knows them")
