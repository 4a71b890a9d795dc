"""Figure 5: many conversations at once for some minutes, each asking on as soon as it has its answer.

How a question is asked is given as `Talk`, since the chat stands above this package: `app.bench_load` gives what the
page does. No contender: it is about errors, about whether a stream ever stands still, and about memory. Everything
runs in one process, as with the page: the threads of all conversations take time from the engine's. Memory is that of
the whole process, and beside it what the engine keeps on purpose, up to its bound; the rest should stay as it is.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from eval.bench.loaded import Load, Sample
from eval.bench.streams import Streams
from scribe.engine.engine import Engine

Outcome = Literal["answered", "unresolved", "failed"]


class Talk(Protocol):
    """One student's conversation."""

    def ask(self, question: str, visible: Callable[[], None]) -> Outcome:
        """Ask and wait. `visible` is called when there are words of the answer to be seen, perhaps often."""
        ...


def let_talk(
    streams: Streams,
    engine: Engine,
    talks: Sequence[Talk],
    questions: Sequence[str],
    seconds: float,
    every: float,
    tell: Callable[[str], None],
) -> Load:
    """Let all talk for so long, and end what was begun. every: seconds between two looks at the memory."""
    load = Load(streams, len(talks))
    began = time.perf_counter()
    with ThreadPoolExecutor(len(talks), "talk") as pool:
        lists = [_from(questions, at) for at in range(len(talks))]
        left = {pool.submit(_talk, *each, began + seconds, load) for each in zip(talks, lists, strict=True)}
        while left:
            load.samples.append(_looked(engine, time.perf_counter() - began))
            tell(f"{load.samples[-1].seconds:.0f} of {seconds:.0f} s, {sum(load.outcomes.values())} questions")
            done, left = wait(left, every, FIRST_EXCEPTION)
            for each in done:
                each.result()
    load.seconds = time.perf_counter() - began
    load.samples.append(_looked(engine, load.seconds))
    return load


def _talk(talk: Talk, questions: Iterator[str], until: float, load: Load) -> None:
    """Ask one question after the other. What the chat raises is counted, and the conversation goes on."""
    for question in questions:
        began = time.perf_counter()
        if began >= until:
            return
        first = _First()
        try:
            outcome, trouble = talk.ask(question, first), ""
        except Exception as error:
            outcome, trouble = "failed", f"{type(error).__name__}: {error}"
        words = first.at - began if outcome == "answered" else None
        load.note(outcome, words, time.perf_counter() - began, trouble)


@dataclass(slots=True)
class _First:
    """Remembers when it was called first."""

    at: float = 0.0

    def __call__(self) -> None:
        self.at = self.at or time.perf_counter()


def _looked(engine: Engine, seconds: float) -> Sample:
    counters = engine.counters()
    return Sample(seconds, resident(), counters.kept_bytes / 1e6, counters.waiting)


def _from(questions: Sequence[str], at: int) -> Iterator[str]:
    """All questions again and again, each conversation beginning somewhere else."""
    return itertools.islice(itertools.cycle(questions), 7 * at % len(questions), None)


def resident() -> float:
    """The memory of this process, in MB (of Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024 / 1e6
