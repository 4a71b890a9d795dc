"""`scribe bench`."""

import argparse
from typing import Any

from app.arguments.shared import command

FIGURES = {
    "prefix": "prompt tokens evaluated for each that is distinct",
    "rate": "answers a minute beside others with the same model",
    "first-token": "how long until something is seen, cold and warm",
    "steps": "time spent outside the model",
    "load": "many conversations at once for minutes",
    "kills": "a batch killed at random moments",
    "same": "whether answers equal those of one at a time",
}


def add(commands: Any) -> None:
    """The figures; what each of them takes, it says itself."""
    bench = command(commands, "bench", "measure this machine's answers; `scribe bench FIGURE --help`", "cli_bench:run")
    told = "; ".join(f"{name}: {what}" for name, what in FIGURES.items())
    bench.add_argument("figure", choices=FIGURES, metavar="FIGURE", help=told)
    bench.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="of the figure")
