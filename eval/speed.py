"""Seconds per question with two tool calls, from question to answer, warm: llama.cpp beside transformers.

    python -m eval.speed

The backends take turns on every question, so that a busy machine slows both alike; the ratio is what to read.
"""

import argparse
import statistics
import time
from pathlib import Path

from rich.progress import track

from data.bundle import EMBEDDED
from eval.asking import Asking, Written
from scribe.backends.hf import HfBackend
from scribe.backends.llama import LlamaBackend
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


def main() -> None:
    """Ask every question as several students, through both backends in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=EMBEDDED, help="folder with model.gguf and hf/")
    parser.add_argument("--students", type=int, default=8)
    given = parser.parse_args()
    sides = {
        "llama": Asking(LlamaBackend(given.model / "model.gguf")),
        "hf": Asking(HfBackend(given.model / "hf")),
    }
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    students = [f"s{number:03d}" for number in range(10, 10 * given.students + 1, 10)]
    asked = [Written("", "dsp", s, "nr", q, (), "") for s in students for q in QUESTIONS]
    for asking in sides.values():
        asking.answer(asked[0])  # loads the embedder and compiles the grammar
    for written in track(asked, "questions"):
        ended = {name: timed(asking, written) for name, asking in sides.items()}
        if all(calls(done) == CALLS for done, _ in ended.values()):
            for name, (_, taken) in ended.items():
                seconds[name].append(taken)
    if not seconds["llama"]:
        raise SystemExit("no question was answered with two calls by both backends")
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    for name, median in medians.items():
        print(f"{name}: median {median:.2f} s, longest {max(seconds[name]):.2f} s, {len(seconds[name])} questions")
    print(f"transformers takes {medians['hf'] / medians['llama']:.1f} times as long")


if __name__ == "__main__":
    main()
