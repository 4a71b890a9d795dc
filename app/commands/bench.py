"""`scribe bench`: the figures by which the engine is to be judged, each in one command."""

import argparse
import importlib

from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

LOAD = "load"
FIGURES = {
    "prefix": ("eval.bench.prefix_reads", "prompt tokens evaluated for each that is distinct"),
    "rate": ("eval.bench.rate", "answers a minute beside others with the same model"),
    "first-token": ("eval.bench.first_token", "how long until something is seen, cold and warm"),
    "steps": ("eval.bench.steps", "time spent outside the model"),
    LOAD: ("app.web.load", "many conversations at once for minutes"),
    "kills": ("eval.bench.kills", "a batch killed at random moments"),
    "same": ("eval.bench.same_answers", "whether answers equal those of one at a time"),
}
"""Where each figure is taken, and what it is about."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The figures; what each of them takes, it says itself."""
    about = "; ".join(f"{name}: {what}" for name, (_, what) in FIGURES.items())
    parser.add_argument("figure", choices=FIGURES, metavar="FIGURE", help=about)
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="of the figure")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Take the figure and print it. Raises UsageError or BackendError."""
    module = importlib.import_module(FIGURES[arguments.figure][0])
    parser = argparse.ArgumentParser(
        prog=f"scribe bench {arguments.figure}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser)
    given = parser.parse_args(arguments.options)
    figure = module.run(given, settings) if arguments.figure == LOAD else module.run(given)
    figure.show(given.json)
    return 0
