"""Three `scribe ask` at once on one machine, and one alone: ``python -m eval.bench.neighbours [--rounds N]``.

A waiting thread of llama.cpp spins before it sleeps; how long, GOMP_SPINCOUNT says. Scribe's choice
(`scribe.gguf.native`) and OpenMP's default are measured in turn, so that both meet the same machine.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from data.pretrained.shipped import open_shipped_gguf
from eval.bench import machine
from eval.bench.table import Figure, ratio

QUESTION = ("i dont understand convolution", "--course", "dsp", "--student", "s033")
SPINS = {"Scribe's choice": None, "OpenMP's default": "300000"}
"""What GOMP_SPINCOUNT says; where it is not set, Scribe chooses. The default is libgomp's own number."""
AT_ONCE = (1, 3)


def measure(at_once: int, spin: str | None) -> float:
    """Seconds until the last of so many questions, each asked by a process of its own, has ended."""
    surroundings = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"}
    surroundings |= {"GOMP_SPINCOUNT": spin} if spin else {}
    command = [str(Path(sys.executable).with_name("scribe")), "ask", *QUESTION]
    started = time.perf_counter()
    asked = [
        subprocess.Popen(command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(at_once)
    ]
    for process in asked:
        process.wait()
    return time.perf_counter() - started


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print a table of medians."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.neighbours", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(words)
    measure(1, None)  # what is read for the first time is read now
    found: dict[tuple[str, int], list[float]] = {(name, number): [] for name in SPINS for number in AT_ONCE}
    for _ in range(given.rounds):
        for name, number in found:
            found[name, number].append(measure(number, SPINS[name]))
    seconds = {name: [median(found[name, number]) for number in AT_ONCE] for name in SPINS}
    rows = [(name, *(f"{each:.1f}" for each in told), ratio(told[1], told[0])) for name, told in seconds.items()]
    head = ("waiting threads spin", *(f"{number} at once, s" for number in AT_ONCE), "ratio")
    here = machine.line(open_shipped_gguf(), os.cpu_count() or 1)
    Figure("`scribe ask` beside its like", here, head, rows, seconds).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
