"""A measured figure: a Markdown table with the machine it was taken on, and the same numbers as JSON."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eval.table import Table, write_numbers
from scribe.backends.weights import fingerprint


@dataclass(frozen=True, slots=True)
class Figure:
    """What one command shows."""

    title: str
    machine: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Each as long as head."""
    numbers: Any
    """The same, for programs."""
    notes: Sequence[str] = ()
    """Lines below the table."""

    def markdown(self) -> str:
        """Title, table, notes, machine."""
        return Table("", self.title, self.head, self.rows, note="\n\n".join([*self.notes, self.machine])).markdown()

    def show(self, json_file: Path | None = None) -> None:
        """Print it; with a file's name, write the numbers there too."""
        print(self.markdown(), flush=True)
        if json_file is not None:
            write_numbers(json_file, self.title, self.machine, self.numbers)


def format_count(number: float) -> str:
    """A count with commas."""
    return f"{number:,.0f}"


def format_ratio(one: float, other: float) -> str:
    """One over the other."""
    return f"{one / other:.2f}" if other else "–"


def describe_machine(model: Path, threads: int) -> str:
    """Processor, cores, load before the run, llama.cpp, model file: figures of two machines do not compare."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    named = f"{model.name} ({model.stat().st_size / 1e6:,.0f} MB, {fingerprint(model)})"
    cores = f"{os.cpu_count()} cores, {threads} threads used, {load} before"
    return f"{_processor()}; {cores}; llama-cpp-python {version('llama-cpp-python')}; {named}"


def _processor(info: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's name, from Linux or else what Python knows."""
    try:
        lines = info.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (text.partition(":")[2].strip() for text in lines if text.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
