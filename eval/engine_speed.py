"""64 questions of 16 students: the plain decoder, one question after the other, beside the engine with 1 to 16 at once.

    python -m eval.engine_speed

Every contender gets the same questions in the same order, which mixes the students as a busy hour does. Processor
seconds are shown beside the clock's, because other programs may use the machine. Then it is counted how many answers
equal the plain decoder's in every step, and how many tokens of prompts were evaluated for each one that is distinct.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from llguidance.llamacpp import lltokenizer_from_vocab

from data.bundle import EMBEDDED
from eval.run import Asking, Written, read
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.decoding import Decoder
from scribe.backends.gguf_model import GgufModel
from scribe.backends.llama import LlamaBackend
from scribe.backends.template import token_ids
from scribe.messages import Message
from scribe.trajectory import Stop, Trajectory

PLAIN = "plain decoder"
QUESTIONS = Path(__file__).with_name("student_questions.jsonl")


@dataclass(slots=True)
class Plain:
    """The decoder that answers one prompt at a time, as a backend."""

    model: GgufModel
    decoder: Decoder = field(init=False)
    info: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.decoder = Decoder(self.model, lltokenizer_from_vocab(self.model.vocabulary))

    def encode(self, text: str, special: bool) -> list[int]:
        return self.model.encode(text, special)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self.decoder.complete(prompt, sampling, constraint, on_text)


@dataclass(slots=True)
class Listening:
    """A backend that passes everything on and remembers the prompts."""

    backend: Plain | LlamaBackend
    prompts: list[tuple[int, ...]] = field(default_factory=list)
    evaluated: int = 0

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        said = self.backend.complete(prompt, sampling, constraint, on_text, owner)
        self.prompts.append(tuple(token_ids(prompt, self.backend.encode)))
        self.evaluated += said.prompt_tokens - said.cached_tokens
        return said


@dataclass(frozen=True, slots=True)
class Run:
    """What one contender did."""

    name: str
    done: list[Trajectory]
    seconds: float
    cpu_seconds: float
    ratio: float


def questions(students: int, each: int) -> list[Written]:
    """So many questions of each student; neighbours are of different students."""
    pool = [written for written in read(QUESTIONS) if not written.history]
    ids = [f"s{10 * number:03d}" for number in range(1, students + 1)]
    return [
        Written(f"{turn}-{student}", "dsp", student, "nr", pool[(turn * students + at) % len(pool)].question, (), "")
        for turn in range(each)
        for at, student in enumerate(ids)
    ]


def distinct(prompts: Sequence[tuple[int, ...]]) -> int:
    """Nodes of the prompts' prefix tree: tokens that somebody has to read at least once."""
    names: dict[tuple[int, int], int] = {}
    for prompt in prompts:
        at = 0
        for token in prompt:
            at = names.setdefault((at, token), len(names) + 1)
    return len(names)


def run(name: str, backend: Plain | LlamaBackend, asked: Sequence[Written], threads: int, warm: Written) -> Run:
    """Ask everything from so many threads at once."""
    listening = Listening(backend)
    asking = Asking(listening)
    asking.answer(warm)  # loads the embedder
    listening.prompts.clear()
    listening.evaluated = 0
    began, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(asking.answer, asked))
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    return Run(name, done, seconds, cpu, listening.evaluated / distinct(listening.prompts))


def line(of: Run, plain: Run) -> str:
    """A row of the table."""
    answered = sum(done.stop is Stop.ANSWERED for done in of.done)
    same = sum(one.steps == other.steps for one, other in zip(of.done, plain.done, strict=True))
    rate = 60 * len(of.done) / of.seconds
    return (
        f"| {of.name} | {rate:.1f} | {plain.seconds / of.seconds:.2f} | {plain.cpu_seconds / of.cpu_seconds:.2f} "
        f"| {of.ratio:.3f} | {answered} | {same} |"
    )


def made(name: str, model: Path, threads: int, at_once: int) -> Plain | LlamaBackend:
    """A contender; made one after the other, so that only one is in memory at a time."""
    if name == PLAIN:
        return Plain(GgufModel(model, 4096, threads))
    return LlamaBackend(model, threads=threads, parallel=at_once)


def main() -> None:
    """Let them all answer and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=EMBEDDED / "model.gguf")
    parser.add_argument("--students", type=int, default=16)
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 4, 8, 16])
    given = parser.parse_args()
    asked = questions(given.students, given.each)
    runs: list[Run] = []
    print("| | answers a minute | × plain | × plain, processor | evaluated / distinct | answered | same steps |")
    print("|---|---|---|---|---|---|---|")
    warm = Written("", "dsp", "s190", "nr", asked[0].question, (), "")
    for name, at_once in [(PLAIN, 1), *((f"engine, {number} at once", number) for number in given.parallel)]:
        runs.append(run(name, made(name, given.model, given.threads, at_once), asked, at_once, warm))
        print(line(runs[-1], runs[0]), flush=True)


if __name__ == "__main__":
    main()
