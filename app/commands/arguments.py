"""What arguments of several commands have in common: their values, whose question it is, and which model answers."""

import argparse
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from tools.assembly.settings import BACKENDS, DIALECT_NAMES, PROMPT_NAMES, AssistantSettings

NO_TOOLS_FILE = "is gone; the tools of the answer's course are described, and web_search where [tools] searxng is set"
MODEL_FLAGS = ("backend", "model", "base_url", "adapter", "quantization", "dialect", "prompt")
"""What `add_model` adds."""


def add_subcommand(commands: Any, name: str, what: str, run: Callable[..., int]) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=what, description=f"Scribe: {what}.")
    made.set_defaults(run=run)
    return made


def add_student(parser: argparse.ArgumentParser) -> None:
    add_course(parser)
    parser.add_argument("--student", required=True, metavar="ID", help="`scribe students` lists them")


def add_course(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--course", help="id or alias of the course")


def add_sampling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=parse_whole, metavar="N")
    parser.add_argument("--temperature", type=parse_amount, metavar="T")


def add_gone(parser: argparse.ArgumentParser, flag: str, said: str) -> None:
    """A flag of earlier versions: it ends the command with what to do instead."""

    def refuse(value: str) -> str:
        raise argparse.ArgumentTypeError(said)

    parser.add_argument(flag, type=refuse, help=argparse.SUPPRESS)


def add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model", "without these, the small model that comes with Scribe")
    group.add_argument("--backend", choices=BACKENDS)
    group.add_argument("--model", metavar="PATH_OR_NAME", help="GGUF file, model folder or name at the API")
    group.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API")
    group.add_argument("--adapter", metavar="DIR", help="LoRA adapter (hf: folder, llama: GGUF file)")
    group.add_argument("--quantization", choices=("4bit", "8bit"), help="weights in bitsandbytes (hf)")
    group.add_argument("--dialect", choices=DIALECT_NAMES, help="how the model writes calls")
    group.add_argument("--prompt", choices=PROMPT_NAMES, help="tell it rules and tools, or not; ours knows them")


def choose_model(settings: AssistantSettings, arguments: argparse.Namespace) -> AssistantSettings:
    """The settings with the model that the arguments of `add_model` name."""
    given = {name: getattr(arguments, name) for name in MODEL_FLAGS}
    return settings.with_changes("model", path=given.pop("model"), **given)


def choose_sampling(settings: AssistantSettings, arguments: argparse.Namespace) -> AssistantSettings:
    return settings.with_changes("answer", seed=arguments.seed, temperature=arguments.temperature)


def parse_amount(text: str) -> float:
    """A temperature or an amount, 0 or more."""
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is too small or too large; use a number from 0 on, e.g. 0.7")
    return value


def parse_whole(text: str, least: int = 0) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text} is not a number; use a whole number from {least} on")
    return int(text)


def parse_count(text: str) -> int:
    return parse_whole(text, least=1)


def parse_day(text: str) -> date:
    """A date such as 2025-09-15."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} is not a date; write it as 2025-09-15") from error


def parse_port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port; use 1 to 65535")
    return int(text)


def split_names(given: Iterable[str]) -> tuple[str, ...]:
    """Names between blanks or commas, as they may be given behind one argument: `a b` or `a,b`."""
    return tuple(name.strip() for part in given for name in part.split(",") if name.strip())
