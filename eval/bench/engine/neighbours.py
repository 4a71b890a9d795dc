"""Several `scribe ask` at once on one machine, and one alone.

    scribe bench neighbours

A waiting thread of llama.cpp spins before it sleeps; how long, GOMP_SPINCOUNT says. Scribe's choice
(`scribe.backends.native`) and OpenMP's default are measured in turn, so that both meet the same machine.
"""

import argparse
import os
import time
from pathlib import Path
from statistics import median

from data.pretrained.shipped import open_shipped_gguf
from eval.bench.figure import Figure, describe_machine, format_ratio
from eval.bench.processes import log_progress, start_scribe

QUESTION = ("ask", "i dont understand convolution", "--course", "dsp", "--student", "s033")
SPINS = {"Scribe's choice": None, "OpenMP's default": "300000"}
"""What GOMP_SPINCOUNT says; where it is not set, Scribe chooses. The default is libgomp's own number."""


def measure_neighbours(at_once: int, spin: str | None) -> float:
    """Seconds until the last of so many questions, each asked by a process of its own, has ended."""
    began = time.perf_counter()
    asked = [start_scribe(QUESTION, {"GOMP_SPINCOUNT": spin}) for _ in range(at_once)]
    for process in asked:
        process.wait()
    return time.perf_counter() - began


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--at-once", type=int, default=3, metavar="N", help="processes beside each other (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def run(given: argparse.Namespace) -> Figure:
    """Measure in turn, and show medians."""
    measure_neighbours(1, None)  # what is read for the first time is read now
    found: dict[tuple[str, int], list[float]] = {(name, many): [] for name in SPINS for many in (1, given.at_once)}
    for number in range(given.rounds):
        log_progress(f"round {number + 1} of {given.rounds}")
        for name, many in found:
            found[name, many].append(measure_neighbours(many, SPINS[name]))
    seconds = {name: [median(found[name, many]) for many in (1, given.at_once)] for name in SPINS}
    rows = [(name, f"{one:.1f}", f"{all_:.1f}", format_ratio(all_, one)) for name, (one, all_) in seconds.items()]
    head = ("waiting threads spin", "alone, s", f"{given.at_once} at once, s", "ratio")
    here = describe_machine(open_shipped_gguf(), os.cpu_count() or 1)
    return Figure("`scribe ask` beside its like", here, head, rows, seconds)
