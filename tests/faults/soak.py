"""Hours of mixed chat and batch on one machine that is being broken: nothing lost, doubled or another's, nothing grows.

    python -m tests.faults.soak --minutes 120 --seed 1

The chat is killed, told to end, locked out of its database and left without disk; the model's server fails in each of
its ways; batches are killed and go on. In the last third of the time the chat is not killed, so that what grows shows.
Run as root, the database and the answers lie on a disk of their own that fills up; else that fault is left out.
"""

import argparse
import asyncio
import contextlib
import json
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.faults.chat_process import ChatProcess
from tests.faults.machine import fill, lock_database, mount_disk, run_apart
from tests.faults.soak_batch import BatchSoak
from tests.faults.soak_students import MARKS, StudentSoak, WatchedModel
from tests.loopback import serve_locally

STUDENTS = 6
LIVE = 1 / 3
"""The share of the time, at its end, in which the chat lives on."""
PAUSE = 6.0
"""Seconds between two faults, on average."""
BROKEN = ("html", "busy", "drop", "cut", "silence")


@dataclass(slots=True)
class SoakReport:
    """What came of it. wrong: what must not be; samples: (seconds, MB, file handles, threads) of the last life."""

    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    batch: dict[str, Any] = field(default_factory=dict)
    samples: list[tuple[float, float, int, int]] = field(default_factory=list)

    def measure_growth(self, column: int) -> float:
        """By how much the median of the last quarter of the last life exceeds that of its second quarter."""
        values = [sample[column] for sample in self.samples]
        quarter = max(1, len(values) // 4)
        return statistics.median(values[-quarter:]) - statistics.median(values[quarter : 2 * quarter] or values)

    def describe(self) -> str:
        """All figures as JSON."""
        last = self.samples[-1] if self.samples else (0, 0, 0, 0)
        grown = {name: round(self.measure_growth(at), 1) for at, name in ((1, "MB"), (2, "handles"), (3, "threads"))}
        told = {
            "seconds": round(self.seconds),
            "faults": dict(self.faults),
            "questions": dict(self.met),
            "batch": self.batch,
            "wrong": self.wrong[:20],
            "last life": {"minutes": round((last[0] - self.samples[0][0]) / 60, 1) if self.samples else 0},
            "at its end": {"MB": round(last[1]), "handles": last[2], "threads": last[3]},
            "grown": grown,
        }
        return json.dumps(told, indent=1)


class Breaker:
    """Injects one fault after the other, each kind in turn, in an order by the dice."""

    def __init__(self, chat: ChatProcess, model: WatchedModel, disk: Path, small: bool, dice: random.Random) -> None:
        self._chat, self._model, self._disk, self._dice = chat, model, disk, dice
        self._lasting: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "database locked": self._lock,
            **({"disk full": self._fill} if small else {}),
            **{f"model: {kind}": lambda kind=kind: self._trouble(kind) for kind in BROKEN},  # type: ignore[misc]
        }
        self._deadly = {"chat killed": self._kill, "chat told to end": self._end}
        self.counts: Counter[str] = Counter()

    async def run(self, seconds: float) -> None:
        """Break things for so long; in the last part nothing that the chat dies of."""
        began, waiting = time.monotonic(), list[str]()
        while (past := time.monotonic() - began) < seconds:
            await asyncio.sleep(self._dice.uniform(0, 2 * PAUSE))
            ways = self._lasting | (self._deadly if past < seconds * (1 - LIVE) else {})
            waiting = [each for each in waiting if each in ways] or self._dice.sample(sorted(ways), len(ways))
            kind = waiting.pop()
            await ways[kind]()
            self.counts[kind] += 1

    async def _lock(self) -> None:
        with lock_database(self._disk / "scribe.db"):
            await asyncio.sleep(self._dice.uniform(0.5, 4))

    async def _fill(self) -> None:
        ballast = await asyncio.to_thread(fill, self._disk)
        await asyncio.sleep(self._dice.uniform(0.5, 4))
        ballast.unlink()

    async def _trouble(self, kind: Any) -> None:
        self._model.trouble = kind
        await asyncio.sleep(self._dice.uniform(0.5, 4))
        self._model.trouble = ""

    async def _kill(self) -> None:
        await asyncio.to_thread(self._chat.kill)
        await asyncio.to_thread(self._chat.start)

    async def _end(self) -> None:
        self._chat.send(signal.SIGTERM)
        code = await asyncio.to_thread(self._chat.wait)
        if code:
            self._model.leaks.append(f"told to end, the chat ended with {code}")
        await asyncio.to_thread(self._chat.start)


async def soak(folder: Path, disk: Path, small: bool, seconds: float, seed: int) -> SoakReport:
    """Let it run for so long. small: whether the disk is one that may be filled."""
    places = {f"student{number}": sorted(MARKS)[number % 3] for number in range(STUDENTS)}
    words = {account: f"word{chr(ord('k') + number) * 3}" for number, account in enumerate(places)}
    model = WatchedModel(patience=3.0, words=words, places=places)
    with serve_locally(model.respond) as model.url:
        chat = ChatProcess(folder, model.url, f"sqlite:///{disk}/scribe.db?timeout=2", places).prepare()
        for student, mark in MARKS.items():
            (folder / "courses" / "mini" / "reports" / f"{student}.nr.md").write_text(f"The {mark} had few sessions.\n")
        report = SoakReport()
        batch = BatchSoak(folder / "questions.jsonl", disk, model.url, random.Random(seed + 1))
        try:
            await asyncio.to_thread(chat.start)
            await _run_all(chat, model, batch, report, Breaker(chat, model, disk, small, random.Random(seed)), seconds)
        finally:
            batch.over.set()
            chat.stop()
        report.wrong += model.leaks + batch.wrong
        report.batch = {"rounds": batch.rounds, "rows": batch.rows, "kills": batch.kills, "codes": dict(batch.codes)}
        # A request that the end of a chat cuts off is told of as cancelled, which is what it is.
        lines = chat.log.read_text(errors="replace").splitlines()
        log = "\n".join(line for line in lines if not line.endswith('asyncio.exceptions.CancelledError"}'))
        for word in ("Traceback", "unforeseen", "wordkkk"):
            if (place := log.find(word)) >= 0:
                report.wrong.append(f"in the log: {log[max(0, place - 300) : place + 4000]}")
        return report


async def _run_all(
    chat: ChatProcess, model: WatchedModel, batch: BatchSoak, report: SoakReport, breaker: Breaker, seconds: float
) -> None:
    until, began = asyncio.Event(), time.monotonic()
    students = [
        StudentSoak(chat, account, word, random.Random(number), report.met, report.wrong)
        for number, (account, word) in enumerate(model.words.items())
    ]
    working = [asyncio.create_task(asyncio.to_thread(batch.run))]
    working += [asyncio.create_task(each.study(until)) for each in students]
    watching = asyncio.create_task(_watch(chat, report))
    await breaker.run(seconds)
    until.set()
    batch.over.set()
    await asyncio.gather(*working)
    watching.cancel()
    for each in students:
        if not await each.compare():
            report.wrong.append(f"{each.account}: what is kept cannot be read")
    report.faults, report.seconds = breaker.counts, time.monotonic() - began


async def _watch(chat: ChatProcess, report: SoakReport) -> None:
    """Note what the chat takes, once in a while; of a new process from its beginning."""
    pid = 0
    while True:
        await asyncio.sleep(2.0)
        with contextlib.suppress(psutil.Error):
            assert chat.process is not None
            if chat.process.pid != pid:
                pid = chat.process.pid
                report.samples.clear()
            told = psutil.Process(pid)
            size = told.memory_info().rss / 1e6
            report.samples.append((time.monotonic(), size, told.num_fds(), told.num_threads()))


def run_soak(folder: Path, seconds: float, seed: int) -> SoakReport:
    """The soak in a folder; as root on a disk of its own, which may be filled."""
    folder.mkdir(exist_ok=True)
    try:
        with mount_disk(folder / "disk", 64 * 1024) as disk:
            return run_apart(soak(folder, disk, True, seconds, seed))
    except pytest.skip.Exception:
        return run_apart(soak(folder, folder / "disk", False, seconds, seed))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it, say what came of it; 1 if something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120.0, metavar="N", help="default: 120")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the dice (1)")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="scribe-soak-") as folder:
        report = run_soak(Path(folder), 60 * given.minutes, given.seed)
    print(report.describe())
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
