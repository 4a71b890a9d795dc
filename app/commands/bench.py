"""`scribe bench`: the figures by which the engine is to be judged, each in one command."""

import argparse
import importlib

from scribe.plumbing.errors import UsageError
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

FIGURES = {
    "rate": ("eval.bench.engine.rate", "answers a minute and prompt tokens read, beside others with the same model"),
    "first-token": ("eval.bench.engine.first_token", "how long until something is seen, cold and warm"),
    "load": ("eval.bench.engine.load", "many conversations at once for minutes"),
    "same": ("eval.bench.engine.same_answers", "whether answers equal those of one at a time"),
    "neighbours": ("eval.bench.engine.neighbours", "several `scribe ask` at once, and one alone"),
    "students": ("app.campus.load", "simulated students at the chat page, from signing in to the last word"),
}
"""Where each figure is taken, and what it is about."""
GONE = {"kills": "`scribe bench kills` is gone: tests kill `answer` and `judge`; its result: eval/RESULTS.md"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "; ".join(f"{name}: {what}" for name, (_, what) in FIGURES.items())
    parser.add_argument("figure", choices=(*FIGURES, *GONE), metavar="FIGURE", help=about)
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="of the figure")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    if arguments.figure in GONE:
        raise UsageError(GONE[arguments.figure])
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
