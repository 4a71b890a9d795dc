"""Many conversations at once for some minutes, each asking on as soon as it has its answer.

    scribe bench load --minutes 30

No contender: it is about errors, about whether a stream ever stands still, and about memory. Each question carries the
exchanges before it and is answered as the chat page does, sentences checked while they come. Everything runs in one
process, as with the page: the threads of all conversations take time from the engine's. Memory is that of the whole
process, and beside it what the engine keeps on purpose, up to its bound; the rest should stay as it is.
"""

import argparse
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import psutil

from data.bundle import find
from eval.answering import QuestionAnswerer
from eval.bench.engine import conditions
from eval.bench.engine.conditions import Conditions
from eval.bench.engine.timing import FirstWords, TimedBackend, TimedTurn
from eval.bench.figure import Figure
from eval.bench.processes import log_progress
from eval.questions import WrittenQuestion
from scribe.backends.llama import LlamaBackend
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.threads import run_in_threads
from scribe.trajectory import Exchange

HEAD = ("seconds", "count", "median", "99 of 100", "longest")
DELAYS = ("first token of a turn", "between tokens", "first words of the answer", "whole answer")
HISTORY = 3
"""Earlier exchanges that a question carries, as on the page."""
SAMPLES = 10
"""How often the memory is looked at: each half minute of five."""


@dataclass(slots=True)
class DelayCounts:
    """Seconds, counted by the millisecond, so that it takes no more memory however many there are."""

    counts: Counter[int] = field(default_factory=Counter)
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.counts[int(1000 * seconds)] += 1
        self.longest = max(self.longest, seconds)

    def find_quantile(self, share: float) -> float:
        """Seconds, to the millisecond, than which this share of all are not longer; 0 if there are none."""
        left = share * sum(self.counts.values())
        for milliseconds in sorted(self.counts):
            left -= self.counts[milliseconds]
            if left <= 0:
                return milliseconds / 1000
        return self.longest

    def numbers(self) -> dict[str, float]:
        """Seconds: the median, what 99 of 100 are not longer than, and the longest."""
        spread = {"median": self.find_quantile(0.5), "99%": self.find_quantile(0.99), "longest": round(self.longest, 3)}
        return {"count": sum(self.counts.values()), **spread}


@dataclass(slots=True)
class LoadRecord:
    """What came of many conversations. Threads may note at once."""

    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    trouble: str = ""
    """Of the first question that failed."""
    tokens: int = 0
    delays: dict[str, DelayCounts] = field(default_factory=lambda: {name: DelayCounts() for name in DELAYS})
    memory: list[tuple[float, float, float]] = field(default_factory=list)
    """Seconds since the beginning, MB of the process, MB of these that the engine keeps on purpose."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note_turn(self, turn: TimedTurn) -> None:
        """A turn of the model is over."""
        with self._lock:
            self.tokens += turn.completion.completion_tokens
            for at, (before, now) in enumerate(itertools.pairwise((turn.began, *turn.pieces))):
                self.delays["between tokens" if at else "first token of a turn"].add(now - before)

    def note_answer(self, outcome: str, words: float | None, whole: float, trouble: str = "") -> None:
        """A question is over. words, whole: seconds until the first words were shown, and until its end."""
        with self._lock:
            self.outcomes[outcome] += 1
            self.trouble = self.trouble or trouble
            self.delays["whole answer"].add(whole)
            if words is not None:
                self.delays["first words of the answer"].add(words)

    def numbers(self) -> dict[str, Any]:
        """Seconds, megabytes and counts."""
        asked = sum(self.outcomes.values())
        return {
            "seconds": round(self.seconds, 1),
            "questions": asked,
            "questions a minute": round(60 * asked / self.seconds, 1),
            "outcomes": dict(self.outcomes),
            "first trouble": self.trouble,
            "tokens a second": round(self.tokens / self.seconds, 1),
            **{name: delays.numbers() for name, delays in self.delays.items()},
            "memory": [[round(number, 1) for number in sample] for sample in self.memory],
        }

    def notes(self) -> list[str]:
        """What was asked and how it ended, and the memory as a table."""
        numbers = self.numbers()
        ends = ", ".join(f"{many} {outcome}" for outcome, many in self.outcomes.most_common())
        rates = f"{numbers['questions a minute']:g} questions a minute, {numbers['tokens a second']:g} tokens a second"
        trouble = f" The first that failed: {self.trouble}." if self.trouble else ""
        lines = ["| after s | MB of the process | of these kept on purpose | the rest |", "|---|---|---|---|"]
        lines += [f"| {at:.0f} | {all_:.0f} | {kept:.0f} | {all_ - kept:.0f} |" for at, all_, kept in self.memory]
        return [f"{ends}; {rates}.{trouble}", "\n".join(lines)]


def measure_load(under: Conditions, engine: LlamaBackend, students: Sequence[str], seconds: float) -> LoadRecord:
    """Let so many students talk for so long, each from another question on, and end what was begun."""
    load = LoadRecord()
    answerer = under.make_answerer(TimedBackend(engine, load.note_turn))
    began = time.perf_counter()
    load.memory.append(_measure_memory(engine, began))

    def talk(numbered: tuple[int, str], stopped: Callable[[], bool]) -> None:
        place, student = numbered
        _talk(answerer, student, _rotate(under.questions, 7 * place), began + seconds, load)

    for _ in run_in_threads(talk, list(enumerate(students)), len(students)):
        sample = _measure_memory(engine, began)
        if load.memory[-1][0] + seconds / SAMPLES <= sample[0] < seconds:
            load.memory.append(sample)
            log_progress(f"{sample[0]:.0f} of {seconds:.0f} s, {sum(load.outcomes.values())} questions")
    load.memory.append(_measure_memory(engine, began))
    load.seconds = load.memory[-1][0]
    return load


def _talk(
    answerer: QuestionAnswerer, student: str, questions: Iterator[WrittenQuestion], until: float, load: LoadRecord
) -> None:
    """Ask one question after the other. What fails is counted, and the conversation goes on."""
    history: tuple[Exchange, ...] = ()
    for question in questions:
        words, began = FirstWords(), time.perf_counter()
        answer, trouble, outcome = None, "", "unresolved"
        try:
            asked = replace(question, student=student, history=history)
            answer = answerer.answer(asked, words).answer
        except ScribeError as error:
            outcome, trouble = "failed", f"{type(error).__name__}: {error}"
        if answer:
            outcome, history = "answered", (*history, Exchange(question.question, answer))[-HISTORY:]
        ended = time.perf_counter()
        load.note_answer(outcome, words.since(began), ended - began, trouble)
        if ended >= until:
            return


def _rotate(questions: Sequence[WrittenQuestion], at: int) -> Iterator[WrittenQuestion]:
    """All questions again and again, from one on."""
    return itertools.islice(itertools.cycle(questions), at % len(questions), None)


def _measure_memory(engine: LlamaBackend, began: float) -> tuple[float, float, float]:
    resident = psutil.Process().memory_info().rss
    return time.perf_counter() - began, resident / 1e6, engine.engine.counters().kept_bytes / 1e6


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    conditions.add_options(parser, students=32, each=4)
    parser.set_defaults(keep_mb=256)
    same = "the same as --students"
    parser.add_argument("--conversations", dest="students", type=int, default=argparse.SUPPRESS, metavar="N", help=same)
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N", help="default: 5")


def run(given: argparse.Namespace) -> Figure:
    """Let them talk. Raises UsageError if the course has fewer students."""
    under = conditions.read_conditions(given)
    course = find(under.questions[0].course)
    students = list(course.students)[: given.students]
    if len(students) < given.students:
        raise UsageError(f"{course.id} has only {len(students)} students; give fewer --students")
    engine = under.make_engine(given.parallel)
    try:
        load = measure_load(under, engine, students, 60 * given.minutes)
    finally:
        engine.close()
    numbers = load.numbers()
    rows = [[name, *(f"{number:g}" for number in numbers[name].values())] for name in DELAYS]
    title = f"{given.students} conversations at once, {given.minutes:g} minutes, {given.parallel} turns at once"
    return Figure(title, under.machine, HEAD, rows, numbers, load.notes())
