"""Who answers the questions: the engine, the plain loop, llama-server. One of them, measured, in this process.

All get the same questions in the same order, the same model file, threads, room for a prompt and its answer, and
llama.cpp's extra buffers on or off alike (`scribe.gguf.file`). Nobody is warmed: whatever a model reads is
counted; only search and courses are loaded before, by reciting some answers without a model.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.asking import Asking
from eval.bench.apart import apart, tell
from eval.bench.listening import Listening, distinct
from eval.bench.llama_server import ServerBackend, serving
from eval.bench.measured import Measured
from eval.bench.plain import PlainBackend
from eval.bench.reciting import Reciting
from eval.bench.recorded import Recorded
from eval.bench.replay import ReplayBackend
from scribe.backends.llama import LlamaBackend
from scribe.engine.engine import Sizes
from scribe.errors import UsageError
from scribe.trajectory import Stop

Kind = Literal["engine", "plain", "llama-server"]
WARMED_BY = 4
"""Recited answers."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The same for all. replay: the model writes what was recorded, else what it likes. server: of llama-server."""

    model: Path
    recorded: Recorded
    replay: bool
    threads: int
    context: int = 4096
    keep_mb: int = 2048
    server: Path | None = None


Made = ReplayBackend | LlamaBackend | PlainBackend | ServerBackend


def measured(kind: Kind, at_once: int, under: Conditions) -> Measured:
    """`contend` in a process of its own."""
    tell(f"{kind}, {at_once} at once" if kind != "plain" else kind)
    done = apart(contend, kind, at_once, under)
    tell(f"{done.name}: {done.rate:.1f} answers a minute, {done.evaluated} tokens of prompts evaluated")
    return done


def contend(kind: Kind, at_once: int, under: Conditions) -> Measured:
    """Ask everything, `at_once` questions at a time, of a contender made for it."""
    name = kind if kind == "plain" else f"{kind}, {at_once} at once"
    with made(kind, at_once, under) as (backend, cpu):
        listening = Listening(backend)
        asking = warm(under.recorded)
        asking.backend = listening
        began, cpu_began = time.perf_counter(), cpu()
        with ThreadPoolExecutor(at_once) as pool:
            done = list(pool.map(asking.answer, under.recorded.questions))
        seconds, cpu_seconds = time.perf_counter() - began, cpu() - cpu_began
        turns, completions = listening.turns(backend.chat), [said for _, said in listening.heard]
    return Measured(
        name,
        len(done),
        sum(each.stop is Stop.ANSWERED for each in done),
        seconds,
        cpu_seconds,
        len(turns),
        sum(len(turn.ids) for turn in turns),
        sum(said.prompt_tokens - said.cached_tokens for said in completions),
        sum(said.completion_tokens for said in completions),
        distinct(turn.ids for turn in turns),
        distinct(turn.ids + turn.wrote for turn in turns),
    )


@contextmanager
def made(kind: Kind, at_once: int, under: Conditions) -> Iterator[tuple[Made, Callable[[], float]]]:
    """The contender as a backend, and what says how many processor seconds it and we have spent."""
    recited = Reciting(under.recorded) if under.replay else None
    if kind == "llama-server":
        if under.server is None:
            raise UsageError("which llama-server? Give --llama-server PATH; eval/bench/README.md says how to build it")
        with serving(under.server, under.model, under.context, at_once, under.threads) as (address, process):
            backend = ServerBackend(address, under.model, under.context, recited)
            yield backend, lambda: time.process_time() + _spent(process)
    elif kind == "plain":
        yield PlainBackend(under.model, under.context, under.threads, recited), time.process_time
    else:
        engine = engine_of(under, at_once)
        yield engine, time.process_time
        engine.close()


def engine_of(under: Conditions, at_once: int, prefixes: Path | None = None) -> ReplayBackend | LlamaBackend:
    """The engine under these conditions. prefixes: a folder for what is nobody's text."""
    sizes = Sizes(under.context, at_once, under.keep_mb)
    if under.replay:
        return ReplayBackend(under.model, under.recorded, sizes, under.threads, prefixes)
    room = sizes.context, under.threads, sizes.parallel, sizes.keep_mb
    return LlamaBackend(under.model, *room, prefixes=prefixes)


def warm(recorded: Recorded) -> Asking:
    """Course, tools and search loaded, without any model."""
    asking = Asking(Reciting(recorded))
    for written in recorded.questions[:WARMED_BY]:
        asking.answer(written)
    return asking


def _spent(process: int) -> float:
    """Processor seconds of another process; 0 where the system does not say (not Linux)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
