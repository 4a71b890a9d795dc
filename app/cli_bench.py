"""`scribe bench`: the figures by which the engine is to be judged, each in one command."""

import argparse
import importlib
from typing import TYPE_CHECKING, Any

from app.arguments.shared import command

if TYPE_CHECKING:  # takes seconds to import
    from app.build import MakeBackend
    from app.settings import Settings

FIGURES = {
    "rate": ("eval.bench.engine.rate", "answers a minute and prompt tokens read, beside others with the same model"),
    "first-token": ("eval.bench.engine.first_token", "how long until something is seen, cold and warm"),
    "load": ("eval.bench.engine.load", "many conversations at once for minutes"),
    "same": ("eval.bench.engine.same_answers", "whether answers equal those of one at a time"),
    "neighbours": ("eval.bench.engine.neighbours", "several `scribe ask` at once, and one alone"),
    "kills": ("eval.bench.kills", "a command killed at random moments and resumed"),
}
"""Module, and what it measures."""


def add(commands: Any) -> None:
    """The figures; what each of them takes, it says itself."""
    bench = command(commands, "bench", "measure this machine's answers; `scribe bench FIGURE --help`", "cli_bench:run")
    about = "; ".join(f"{name}: {what}" for name, (_, what) in FIGURES.items())
    bench.add_argument("figure", choices=FIGURES, metavar="FIGURE", help=about)
    bench.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="of the figure")


def run(arguments: argparse.Namespace, settings: "Settings", make: "MakeBackend | None") -> int:
    """Take the figure and print it. Raises UsageError or BackendError."""
    module = importlib.import_module(FIGURES[arguments.figure][0])
    parser = argparse.ArgumentParser(
        prog=f"scribe bench {arguments.figure}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser)
    given = parser.parse_args(arguments.options)
    module.run(given).show(given.json)
    return 0
