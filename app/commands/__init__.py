"""The commands of `scribe`, one file each: `add_arguments(parser)` says what it takes, and `run` does it.

They know their arguments, the settings and what makes a model, and no other command but those that they are made of.
"""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.assembly.model import MakeBackend
    from tools.assembly.settings import AssistantSettings

FAULT, BAD_INPUT, UNRESOLVED, INTERRUPTED = 1, 2, 3, 130
"""Exit codes."""


def state_folder() -> Path:
    """Where the log and what judges said are kept."""
    return Path(os.environ.get("SCRIBE_CACHE") or Path.home() / ".cache" / "scribe")


def log_path() -> Path:
    """Where warnings and unforeseen faults are written."""
    return state_folder() / "scribe.log"


def run_command(command: Any, words: list[str], settings: "AssistantSettings", make: "MakeBackend") -> int:
    """What a command's module does with these words behind its name; its exit code."""
    parser = argparse.ArgumentParser(prog=f"scribe {command.__name__.rpartition('.')[2]}")
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(words), settings, make)
    return code
