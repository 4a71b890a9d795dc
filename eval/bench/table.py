"""A figure as a Markdown table, and the same numbers as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """What one command shows. rows: as long as head. notes: lines below the table. numbers: the same, for programs."""

    title: str
    machine: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Any
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Title, machine, table, notes."""
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        return "\n\n".join([f"**{self.title}**", self.machine, table, *self.notes])

    def show(self, json_file: Path | None = None) -> None:
        """Print it; with a file's name, write the numbers there too."""
        print(self.markdown(), flush=True)
        if json_file is not None:
            whole = {"title": self.title, "machine": self.machine, "numbers": self.numbers}
            json_file.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def count(number: float) -> str:
    """A count with commas."""
    return f"{number:,.0f}"


def ratio(one: float, other: float) -> str:
    """One over the other."""
    return f"{one / other:.2f}" if other else "–"
