"""Seconds per question with two tool calls, from question to answer, warm: llama.cpp beside transformers.

    python -m eval.speed

One after the other, llama.cpp first: once PyTorch is in a process, llama.cpp takes three times as long there (they then
share PyTorch's OpenMP), and whoever answers with llama.cpp loads no PyTorch. The ratio is what to read.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from data.bundle import EMBEDDED
from eval.asking import Asking, Written
from scribe.backend import Backend
from scribe.trajectory import Trajectory

QUESTIONS = ("why did week 4 go so badly?", "what should I do next week?", "How do I prepare for week 8?")
CALLS = 2


def calls(done: Trajectory) -> int:
    """How many tools were called."""
    return sum(len(act.calls) for act in done.acts)


def timed(asking: Asking, written: Written) -> tuple[Trajectory, float]:
    """The answer, and the seconds it took with everything: hint, model, tools, check."""
    began = time.perf_counter()
    return asking.answer(written), time.perf_counter() - began


def ask(asking: Asking, asked: Sequence[Written], name: str) -> list[tuple[Trajectory, float]]:
    """All questions, after one that loads what is needed and compiles the grammar."""
    asking.answer(asked[0])
    return [timed(asking, written) for written in track(asked, name)]


def llama(folder: Path) -> Backend:
    """llama.cpp."""
    from scribe.backends.llama import LlamaBackend

    return LlamaBackend(folder / "model.gguf")


def hf(folder: Path) -> Backend:
    """transformers; imported only when its turn comes."""
    from scribe.backends.hf import HfBackend

    return HfBackend(folder / "hf")


SIDES = {"llama": llama, "hf": hf}


def main() -> None:
    """Ask every question as several students, through both backends in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=EMBEDDED, help="folder with model.gguf and hf/")
    parser.add_argument("--students", type=int, default=8)
    given = parser.parse_args()
    students = [f"s{number:03d}" for number in range(10, 10 * given.students + 1, 10)]
    asked = [Written("", "dsp", s, "nr", q, (), "") for s in students for q in QUESTIONS]
    ended = {name: ask(Asking(make(given.model)), asked, name) for name, make in SIDES.items()}
    # Only questions that both answered with so many calls are compared.
    both = [all(calls(done) == CALLS for done, _ in pair) for pair in zip(*ended.values(), strict=True)]
    seconds = {
        name: [taken for (_, taken), kept in zip(each, both, strict=True) if kept] for name, each in ended.items()
    }
    if not seconds["llama"]:
        raise SystemExit("no question was answered with two calls by both backends")
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    for name, median in medians.items():
        print(f"{name}: median {median:.2f} s, longest {max(seconds[name]):.2f} s, {len(seconds[name])} questions")
    print(f"transformers takes {medians['hf'] / medians['llama']:.1f} times as long")


if __name__ == "__main__":
    main()
