"""Simulated students at the chat page, each asking one question after the other, as a browser would.

    scribe bench students --minutes 10                     # a chat started for it, with a scripted model
    scribe bench students --minutes 10 --embedded          # the same with the model that the settings name
    scribe bench students --base-url https://… --roster roster.csv --proof proof --pid 4711       # one that runs

Each signs in by the proxy's header, agrees, and asks by Gradio's queue protocol; before each question is a pause of
up to --pause seconds, by the dice. The students are one program on the same machine and take of its time.
"""

import argparse
import asyncio
import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil

from app.campus.scripted_endpoint import serve_scripted_model
from app.campus.visitor import PageVisitor
from app.web.serving import find_free_port
from data import bundle
from eval.bench.figure import Figure
from scribe.plumbing.errors import UsageError

QUESTIONS = (
    "Where was I weak in week {week}?",
    "What is week {week} about?",
    "What should I know before week {week}?",
    "How many points am I missing to pass?",
)
PROOF = "0" * 64
STARTING = 300.0
"""Seconds that a chat gets to start."""
SETTINGS = """
[accounts]
sign_in = ["header"]
roster = "{folder}/roster.csv"
secret = "{folder}/secret"
https = false
[header]
secret = "{folder}/secret"
[site]
hosts = ["127.0.0.1"]
[storage]
address = "{folder}/scribe.db"
[limits]
per_minute = 0
per_day = 0
"""
SCRIPTED = """
[model]
backend = "api"
base_url = "{url}"
path = "scripted"
"""


@dataclass(frozen=True, slots=True)
class ChatUnderLoad:
    """A running chat. proof: what its proxy would send; pid: its process on this machine, 0 if not known."""

    address: str
    proof: str
    pid: int
    accounts: Sequence[tuple[str, str]]
    """Account and course of each student."""


@dataclass(slots=True)
class StudentsTally:
    """What the students met. Seconds are of questions that were answered."""

    waits: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)
    entering: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)
    """MB of the chat's process."""


async def visit(chat: ChatUnderLoad, seconds: float, pause: float) -> StudentsTally:
    """Let all students ask for so long, and end what was begun."""
    tally, until = StudentsTally(), time.perf_counter() + seconds
    watch = asyncio.create_task(_watch_memory(chat.pid, tally))
    students = [
        _study(chat, account, course, number, until, pause, tally)
        for number, (account, course) in enumerate(chat.accounts)
    ]
    await asyncio.gather(*students)
    watch.cancel()
    return tally


async def _study(
    chat: ChatUnderLoad, account: str, course: str, number: int, until: float, pause: float, tally: StudentsTally
) -> None:
    """One student's visit. What fails is counted, and the student tries on."""
    dice = random.Random(number)
    visitor = PageVisitor(chat.address, {"x-remote-user": account, "x-scribe-proof": chat.proof}, False)
    entered = False
    while time.perf_counter() < until:
        await asyncio.sleep(dice.uniform(0, min(pause, max(0.0, until - time.perf_counter()))))
        try:
            if not entered:
                began = time.perf_counter()
                await visitor.enter(course)
                tally.entering.append(time.perf_counter() - began)
                entered = True
            reply = await visitor.ask(dice.choice(QUESTIONS).format(week=dice.randint(1, 8)))
        except (httpx.HTTPError, UsageError, ValueError, KeyError) as error:
            tally.errors[f"{type(error).__name__}: {error}"[:120]] += 1
            await asyncio.sleep(1)
            continue
        if reply.refusal:
            tally.refusals[reply.refusal[:80]] += 1
        else:
            tally.waits.append(reply.seconds)
            tally.firsts.append(reply.first)
    await visitor.close()


async def _watch_memory(pid: int, tally: StudentsTally) -> None:
    while pid:
        tally.memory.append(psutil.Process(pid).memory_info().rss / 1e6)
        await asyncio.sleep(2)


@contextmanager
def start_chat(students: int, embedded: bool) -> Iterator[ChatUnderLoad]:
    """A chat of its own with a course's students. Raises UsageError if it does not start."""
    ids = list(bundle.find("dsp").students)[:students]
    accounts = [(f"student-{id}", "dsp") for id in ids]
    with tempfile.TemporaryDirectory() as name, nullcontext() if embedded else serve_scripted_model(0.5) as model:
        folder = Path(name)
        roster = "".join(f"{account},dsp,{id},student\n" for (account, _), id in zip(accounts, ids, strict=True))
        (folder / "roster.csv").write_text(f"account,course,student,role\n{roster}", encoding="utf-8")
        (folder / "secret").write_text(PROOF, encoding="utf-8")
        settings = SETTINGS.format(folder=folder) + ("" if model is None else SCRIPTED.format(url=model.url))
        (folder / "scribe.toml").write_text(settings, encoding="utf-8")
        port = find_free_port("127.0.0.1", 19400)
        environment = {**os.environ, "SCRIBE_CONFIG": str(folder / "scribe.toml")}
        command = [str(Path(sys.executable).with_name("scribe")), "chat", "--port", str(port)]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}", process, folder / "log")
            yield ChatUnderLoad(f"http://127.0.0.1:{port}", PROOF, process.pid, accounts)
        finally:
            process.terminate()
            process.wait(90)


def _wait_until_healthy(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + STARTING
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx.get(f"{address}/healthz", timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise UsageError(f"the chat did not start: {log.read_text(encoding='utf-8')[-500:]}")


@contextmanager
def find_chat(given: argparse.Namespace) -> Iterator[ChatUnderLoad]:
    """The chat that is running, with the students of its roster."""
    with given.roster.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["role"] == "student"]
    accounts = [(row["account"], row["course"]) for row in rows][: given.students]
    yield ChatUnderLoad(given.base_url, given.proof.read_text(encoding="utf-8").strip(), given.pid, accounts)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--students", type=int, default=64, metavar="N", help="default: 64")
    parser.add_argument("--minutes", type=float, default=3.0, metavar="N", help="default: 3")
    parser.add_argument("--pause", type=float, default=10.0, metavar="SECONDS", help="longest, before a question (10)")
    parser.add_argument("--embedded", action="store_true", help="the settings' model in place of a scripted one")
    parser.add_argument("--base-url", metavar="URL", help="a chat that runs already")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="its roster")
    parser.add_argument("--proof", type=Path, metavar="FILE", help="its [header] secret")
    parser.add_argument("--pid", type=int, default=0, metavar="N", help="its process, for the memory")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here too")


def run(given: argparse.Namespace) -> Figure:
    """Let them ask. Raises UsageError if the chat does not start, or roster and proof are not named."""
    if given.base_url and not (given.roster and given.proof):
        raise UsageError("--base-url needs --roster and --proof")
    before = os.getloadavg()[0]
    with find_chat(given) if given.base_url else start_chat(given.students, given.embedded) as chat:
        tally = asyncio.run(visit(chat, 60 * given.minutes, given.pause))
    title = f"{len(chat.accounts)} students at one chat page, {given.minutes:g} minutes"
    return describe(tally, title, f"{os.cpu_count()} cores, load {before:.1f} before", 60 * given.minutes)


def describe(tally: StudentsTally, title: str, machine: str, seconds: float) -> Figure:
    """The figure of a tally."""
    kinds = {
        "sign-in to page": tally.entering,
        "first sign of an answer or place in line": tally.firsts,
        "whole answer": tally.waits,
    }
    numbers: dict[str, Mapping[str, float]] = {name: _spread(found) for name, found in kinds.items()}
    rows = [[name, *(f"{number:g}" for number in spread.values())] for name, spread in numbers.items()]
    grown = f"{tally.memory[0]:.0f} MB at first, {max(tally.memory):.0f} at most, {tally.memory[-1]:.0f} at last"
    notes = [
        f"{len(tally.waits)} answers, {60 * len(tally.waits) / seconds:.1f} a minute; "
        f"{sum(tally.errors.values())} errors, {sum(tally.refusals.values())} not let in or failed.",
        *(f"{many} × {words}" for words, many in (tally.errors + tally.refusals).most_common(5)),
        f"Memory of the chat: {grown}." if tally.memory else "Memory was not looked at (--pid).",
    ]
    told = {**numbers, "errors": dict(tally.errors), "refusals": dict(tally.refusals), "memory": tally.memory}
    return Figure(title, machine, ("seconds", "count", "median", "95 of 100", "longest"), rows, told, notes)


def _spread(seconds: Sequence[float]) -> Mapping[str, float]:
    ordered = sorted(seconds)
    if not ordered:
        return {"count": 0, "median": 0.0, "95%": 0.0, "longest": 0.0}
    at95 = ordered[int(0.95 * (len(ordered) - 1))]
    return {
        "count": len(ordered),
        "median": round(statistics.median(ordered), 2),
        "95%": round(at95, 2),
        "longest": round(ordered[-1], 2),
    }
