"""Figure 2: answers per minute, the engine beside the plain loop, llama-server and two agent frameworks.

    python -m eval.bench.rate --model 1b --llama-server FILE --frameworks-python FILE

`contenders` and `frameworks` say what each does and does not do. llama-server is tried with each number of slots, and
its best row counts. Processor seconds stand beside the clock's, because other programs may use the machine; llama.cpp's
threads wait by spinning, so on a busy machine neither is more than a hint. With the embedded model those without a
grammar may write other and more turns than the engine: see "written".
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from eval.bench import options
from eval.bench.apart import tell
from eval.bench.contenders import Conditions, measured
from eval.bench.frameworks.contended import Contended
from eval.bench.frameworks.contending import contend
from eval.bench.measured import Measured
from eval.bench.table import Figure, count, ratio

HEAD = (
    *("", "answers a minute", "engine is × as fast", "processor seconds", "× the engine's"),
    *("answered", "requests", "evaluated", "written"),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    options.add(parser)
    told = "a Python with smolagents and LangGraph; eval/bench/frameworks says how to make it"
    parser.add_argument("--frameworks-python", type=Path, metavar="FILE", help=told)


def run(given: argparse.Namespace) -> Figure:
    """All contenders there are, the engine first."""
    under = options.conditions(given)
    done = list(_all(given, under))
    engine = done[0]
    servers = [each for each in done if each.name.startswith("llama-server")]
    best = max(servers, key=lambda each: each.rate, default=None)
    notes = (
        [f"Best llama-server: {best.name}; the engine is {ratio(engine.rate, best.rate)} × as fast."] if best else []
    )
    title = f"Answers per minute, {given.students * given.each} questions of {given.students} students"
    rows = [row(each, engine) for each in done]
    return Figure(title, options.said(under), HEAD, rows, [asdict(each) for each in done], notes)


def row(of: Measured, engine: Measured) -> Sequence[str]:
    """A row of the table."""
    cpu, our_cpu = of.cpu_seconds, engine.cpu_seconds
    spent = (f"{cpu:.0f}", ratio(cpu, our_cpu)) if cpu is not None and our_cpu else ("–", "–")
    counts = map(count, (of.answered, of.requests, of.evaluated, of.written))
    return of.name, f"{of.rate:.1f}", ratio(engine.rate, of.rate), *spent, *counts


def _all(given: argparse.Namespace, under: Conditions) -> Iterator[Measured]:
    yield measured("engine", given.parallel, under)
    yield measured("plain", 1, under)
    for slots in given.slots if given.llama_server else ():
        yield measured("llama-server", slots, under)
    if given.frameworks_python:
        tell("smolagents and LangGraph")
        for each in contend(under.recorded, under.model, given.frameworks_python, given.threads):
            tell(f"{each.name}: {each.rate:.1f} answers a minute")
            yield _measured(each)


def _measured(of: Contended) -> Measured:
    counts = of.requests, of.read, of.evaluated, of.written
    return Measured(of.name, of.questions, sum(map(bool, of.answers)), of.seconds, None, *counts)


def main() -> None:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    run(given).show(given.json)


if __name__ == "__main__":
    main()
