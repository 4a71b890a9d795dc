"""Figure 1: how many tokens of prompts were evaluated for each one that is distinct.

    python -m eval.bench.prefix_reads --model 1b

Distinct are the nodes of the prompts' prefix tree: what somebody has to read once. A prompt goes on with what the
model wrote a step before, which was evaluated when it was written; so the last column counts that too, on both sides.
Reports are read once per student by necessity: nobody's prefix may serve another student (and none is equal).
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from eval.bench import options
from eval.bench.contenders import Kind, measured
from eval.bench.measured import Measured
from eval.bench.table import Figure, count

HEAD = ("", "requests", "prompt tokens", "distinct", "evaluated", "evaluated / distinct", "written", "with written")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    options.add(parser)


def run(given: argparse.Namespace) -> Figure:
    """The engine, the plain loop, and llama-server with each number of slots if there is one."""
    under = options.conditions(given)
    runs: list[tuple[Kind, int]] = [("engine", given.parallel), ("plain", 1)]
    runs += [("llama-server", slots) for slots in given.slots] if given.llama_server else []
    done = [measured(kind, at_once, under) for kind, at_once in runs]
    title = f"Prompt tokens evaluated, {given.students * given.each} questions of {given.students} students"
    return Figure(title, options.said(under), HEAD, [row(each) for each in done], [asdict(each) for each in done])


def row(of: Measured) -> Sequence[str]:
    """A row of the table."""
    asked = count(of.requests), count(of.prompts), count(of.distinct), count(of.evaluated)
    strict = f"{(of.evaluated + of.written) / of.distinct_in_all:.3f}"
    return of.name, *asked, f"{of.evaluated / of.distinct:.3f}", count(of.written), strict


def main() -> None:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    run(given).show(given.json)


if __name__ == "__main__":
    main()
