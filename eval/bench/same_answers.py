"""Whether the engine, with many questions at once, answers as the same model does one question after the other.

    python -m eval.bench.same_answers --students 40 --each 5

The other one is `scribe.decoding.single_sequence`: the same grammar, the same drawing, no engine. Rounding
depends on what a step evaluates together, so that two tokens that are all but equally likely may change places. After
a fault the agent draws with some chance, where rounding tells sooner; so the turns up to there, all greedy, are
compared by themselves too.
"""

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from llguidance.llamacpp import lltokenizer_from_vocab

from data.pretrained.shipped import open_shipped_gguf
from eval.asking import Asking, Written
from eval.bench import machine
from eval.bench.apart import apart, tell
from eval.bench.recorded import questions
from eval.bench.table import Figure
from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.backends.llama import LlamaBackend
from scribe.decoding.single_sequence import Decoder
from scribe.gguf.model import GgufModel
from scribe.messages import Message
from scribe.trajectory import Fault, Step, Trajectory


@dataclass(slots=True)
class OneAtATime:
    """The decoder that answers one prompt at a time, as a backend."""

    model: GgufModel
    info: Mapping[str, str] = field(default_factory=dict)
    _decoder: Decoder = field(init=False)

    def __post_init__(self) -> None:
        self._decoder = Decoder(self.model, self.model.chat, lltokenizer_from_vocab(self.model.vocabulary))

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self._decoder.complete(prompt, sampling, constraint, on_text)


def answered(asked: Sequence[Written], model: Path, threads: int, at_once: int) -> list[Trajectory]:
    """What the engine answers with so many at once; with 0, what the other one answers."""
    backend: Backend = OneAtATime(GgufModel(model, 4096, threads))
    if at_once:
        backend = LlamaBackend(model, threads=threads, parallel=at_once)
    asking = Asking(backend)
    with ThreadPoolExecutor(at_once or 1) as pool:
        return list(pool.map(asking.answer, asked))


def up_to_a_fault(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps before the first turn that is drawn with some chance."""
    first = next((at for at, step in enumerate(steps) if isinstance(step, Fault)), len(steps))
    return steps[: first + 1]


def run(given: argparse.Namespace) -> Figure:
    """Both, and where they differ."""
    asked = questions(given.students, given.each)
    tell(f"{len(asked)} questions, one at a time")
    model = given.model or open_shipped_gguf()
    alone = apart(answered, asked, model, given.threads, 0)
    tell(f"the engine, {given.parallel} at once")
    joined = apart(answered, asked, model, given.threads, given.parallel)
    pairs = zip(asked, alone, joined, strict=True)
    other = [f"{written.id}: {written.question}" for written, one, two in pairs if one.steps != two.steps]
    same = len(asked) - len(other)
    greedy = sum(up_to_a_fault(one.steps) == up_to_a_fault(two.steps) for one, two in zip(alone, joined, strict=True))
    row = str(len(asked)), *(f"{count} ({100 * count / len(asked):.1f} %)" for count in (greedy, same))
    numbers = {"questions": len(asked), "greedy_same": greedy, "same": same, "different": other}
    title = f"Answers of the engine, {given.parallel} at once, beside those of one at a time"
    head = "questions", "the same in every greedy step", "the same in every step"
    return Figure(title, machine.line(model, given.threads), head, [row], numbers, other)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--model", type=Path, metavar="FILE", help="default: the model that comes with Scribe")
    parser.add_argument("--students", type=int, default=40, metavar="N")
    parser.add_argument("--each", type=int, default=5, metavar="N", help="questions of each student (default: 5)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--parallel", type=int, default=16, metavar="N", help="questions at once (default: 16)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def main() -> None:
    """Print how many are the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    run(given).show(given.json)


if __name__ == "__main__":
    main()
