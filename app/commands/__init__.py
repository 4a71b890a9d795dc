"""The commands of `scribe`, one file each: `add_arguments(parser)` says what it takes, and `run` or the like does it.

They know their arguments, the settings and what makes a model, and no other command but those that they are made of.
"""

import os
from pathlib import Path

FAULT, BAD_INPUT, UNRESOLVED, INTERRUPTED = 1, 2, 3, 130
"""Exit codes."""


def state_folder() -> Path:
    """Where the log and what judges said are kept."""
    return Path(os.environ.get("SCRIBE_CACHE") or Path.home() / ".cache" / "scribe")


def log_path() -> Path:
    """Where warnings and unforeseen faults are written."""
    return state_folder() / "scribe.log"
