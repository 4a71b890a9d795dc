"""Answers per minute, and prompt tokens evaluated: the engine beside the plain loop and llama-server.

    scribe bench rate --llama-server FILE --rounds 5

The contenders take turns in each round, so that all meet the same machine, and the table shows medians over rounds.
Nobody is warmed: whatever a model reads is counted. Only search and courses are loaded before. llama-server is tried
with each number of slots. Processor seconds stand beside the clock's, because other programs may use the machine.
Contenders without a grammar may write other and more turns than the engine: see "written" and "same answers".

"evaluated / distinct": tokens of prompts that were evaluated for each that somebody has to read once. These are the
nodes of the prompts' prefix tree. Reports are read once per student by necessity: nobody's prefix may serve another.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Literal

import psutil

from eval.bench.engine import conditions
from eval.bench.engine.conditions import Conditions
from eval.bench.engine.llama_server import LlamaServer, start_llama_server
from eval.bench.engine.plain_loop import PlainLoop
from eval.bench.engine.timing import TimedBackend, TimedTurn, count_distinct
from eval.bench.figure import Figure, format_count, format_ratio
from eval.bench.processes import log_progress, run_apart
from scribe.backends.llama import LlamaBackend
from scribe.plumbing.errors import UsageError
from scribe.plumbing.threads import map_in_threads

Kind = Literal["engine", "plain loop", "llama-server"]
HEAD = (
    *("median of rounds", "answers a minute", "lowest to highest", "engine is × as fast", "processor seconds"),
    *("answered", "same answers", "requests", "evaluated", "evaluated / distinct", "written"),
)


@dataclass(frozen=True, slots=True)
class ContenderRun:
    """What one contender did in one round."""

    name: str
    answers: tuple[str, ...]
    """In the order of the questions; empty where there is none."""
    seconds: float
    cpu_seconds: float
    requests: int
    """Calls of the model."""
    evaluated: int
    """Tokens of prompts that were not in a cache."""
    distinct: int
    """Nodes of the prompts' prefix tree."""
    written: int
    """Tokens that the model wrote."""

    @property
    def rate(self) -> float:
        """Answers per minute."""
        return 60 * len(self.answers) / self.seconds


def measure_contender(kind: Kind, at_once: int, under: Conditions, server: Path | None = None) -> ContenderRun:
    """Ask everything, `at_once` questions at a time, of a contender made for it.

    server: the program llama-server. Raises BackendError, or UsageError if it is needed and not given.
    """
    turns: list[TimedTurn] = []
    with _make_contender(kind, at_once, under, server) as (backend, spent):
        answerer = under.make_answerer(TimedBackend(backend, turns.append))
        began, cpu_began = time.perf_counter(), spent()
        done = list(map_in_threads(answerer.answer, under.questions, at_once))
        seconds, cpu_seconds = time.perf_counter() - began, spent() - cpu_began
        distinct = count_distinct(backend.chat.prompt_ids(turn.prompt) for turn in turns)
    return ContenderRun(
        name=kind if kind == "plain loop" else f"{kind}, {at_once} at once",
        answers=tuple(each.answer or "" for each in done),
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        requests=len(turns),
        evaluated=sum(turn.evaluated for turn in turns),
        distinct=distinct,
        written=sum(turn.completion.completion_tokens for turn in turns),
    )


@contextmanager
def _make_contender(
    kind: Kind, at_once: int, under: Conditions, server: Path | None
) -> Iterator[tuple[LlamaBackend | PlainLoop | LlamaServer, Callable[[], float]]]:
    """The contender as a backend, and what says how many processor seconds it and we have spent."""
    model = under.settings.model
    if kind == "plain loop":
        yield PlainLoop(under.model, model.context, model.threads), time.process_time
    elif kind == "engine":
        engine = under.make_engine(at_once)
        yield engine, time.process_time
        engine.close()
    elif server is None:
        raise UsageError("which llama-server? Give --llama-server FILE; eval/bench/README.md says how to build it")
    else:
        with start_llama_server(server, under.model, model.context, at_once, model.threads) as (address, process):
            measured = psutil.Process(process)
            backend = LlamaServer(address, under.model, model.context)
            yield backend, lambda: time.process_time() + sum(measured.cpu_times()[:2])


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    conditions.add_options(parser)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument("--llama-server", type=Path, metavar="FILE", help="built as eval/bench/README.md says")
    slots = "llama-server: numbers of slots to try (default: 4 8 16)"
    parser.add_argument("--slots", type=int, nargs="+", default=[4, 8, 16], metavar="N", help=slots)


def run(given: argparse.Namespace) -> Figure:
    """All contenders there are, the engine first. Raises UsageError for a file that is not there."""
    server: Path | None = given.llama_server
    if server is not None and not server.is_file():
        raise UsageError(f"there is no llama-server at {server}; eval/bench/README.md says how to build it")
    under = conditions.read_conditions(given)
    kinds: list[tuple[Kind, int]] = [("engine", given.parallel), ("plain loop", 1)]
    kinds += [("llama-server", slots) for slots in given.slots] if server else []
    runs: dict[str, list[ContenderRun]] = defaultdict(list)
    for number in range(given.rounds):
        for kind, at_once in kinds:
            done = run_apart(measure_contender, kind, at_once, under, server)
            runs[done.name].append(done)
            log_progress(f"round {number + 1} of {given.rounds}, {done.name}: {done.rate:.1f} answers a minute")
    title = f"Answers per minute, {len(under.questions)} questions of {given.students} students, {given.rounds} rounds"
    engine = next(iter(runs.values()))
    rows = [make_row(each, engine) for each in runs.values()]
    numbers = [{**asdict(each), "rate": each.rate} for rounds in runs.values() for each in rounds]
    return Figure(title, under.machine, HEAD, rows, numbers)


def make_row(runs: Sequence[ContenderRun], engine: Sequence[ContenderRun]) -> Sequence[str]:
    """A contender's row of the table, from its rounds and the engine's."""
    rates, first = [each.rate for each in runs], runs[0]
    same = sum(one == two for one, two in zip(first.answers, engine[0].answers, strict=True))
    return (
        first.name,
        f"{median(rates):.1f}",
        f"{min(rates):.1f} to {max(rates):.1f}",
        format_ratio(median(each.rate for each in engine), median(rates)),
        f"{median(each.cpu_seconds for each in runs):.0f}",
        format_count(sum(map(bool, first.answers))),
        format_count(same),
        format_count(first.requests),
        format_count(first.evaluated),
        f"{first.evaluated / first.distinct:.3f}",
        format_count(first.written),
    )
