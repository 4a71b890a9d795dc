"""`scribe bench`: the figures by which the engine is to be judged, each in one command."""

import argparse
import importlib

from app.build import MakeBackend
from app.settings import Settings

FIGURES = {
    "prefix": "eval.bench.prefix_reads",
    "rate": "eval.bench.rate",
    "first-token": "eval.bench.first_token",
    "steps": "eval.bench.steps",
    "load": "app.bench_load",
    "kills": "eval.bench.kills",
    "same": "eval.bench.same_answers",
}


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Take the figure and print it. Raises UsageError or BackendError."""
    module = importlib.import_module(FIGURES[arguments.figure])
    parser = argparse.ArgumentParser(
        prog=f"scribe bench {arguments.figure}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser)
    given = parser.parse_args(arguments.options)
    module.run(given).show(given.json)
    return 0
