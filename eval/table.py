"""A table of results: the same rows for a terminal (Markdown), for programs (CSV) and for a page."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Cell = str | int | float | None
"""None is what nobody knows; it is shown as a dash and is an empty cell for programs. Shares are 0 to 1."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of results under a head.

    id: its file's name. rows: each as long as head. percent: columns of shares. note: what the reader must know.
    brief: the columns that a page or a terminal has room for; all of them if none is named.
    """

    id: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    percent: Sequence[str] = ()
    note: str = ""
    brief: Sequence[str] = ()

    def narrow(self) -> "Table":
        """The table with its brief columns only."""
        kept = [at for at, name in enumerate(self.head) if not self.brief or name in self.brief]
        rows = [tuple(row[at] for at in kept) for row in self.rows]
        return replace(self, head=tuple(self.head[at] for at in kept), rows=rows)

    def named_rows(self) -> list[dict[str, Cell]]:
        """Each row by the names of its columns."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]

    def format_rows(self) -> list[list[str]]:
        """The rows as people read them."""
        are_shares = [name in self.percent for name in self.head]
        return [
            [format_cell(cell, is_share) for cell, is_share in zip(row, are_shares, strict=True)] for row in self.rows
        ]

    def markdown(self) -> str:
        """Title, table and note."""
        lines = [list(self.head), ["---"] * len(self.head), *self.format_rows()]
        drawn = "\n".join("| " + " | ".join(map(_to_line, cells)) + " |" for cells in lines)
        return "\n\n".join(part for part in (f"**{self.title}**", drawn, self.note) if part)

    def csv(self) -> str:
        """The head and the rows, numbers in full; None is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([self.head, *([_escape_formula(cell) for cell in row] for row in self.rows)])
        return text.getvalue()


def write_numbers(path: Path, title: str, machine: str, numbers: Any) -> None:
    """Write what a table shows as JSON for programs. machine: where it was measured, or what was read."""
    whole = {"title": title, "machine": machine, "numbers": numbers}
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def to_cell(value: float) -> float | None:
    """A number as a cell: None where it is NaN."""
    return None if math.isnan(value) else value


def format_cell(cell: Cell, percent: bool = False) -> str:
    """Format a cell as people read it: shares as percentages, very small numbers as powers of ten."""
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if percent:
        return f"{100 * cell:.1f} %"
    if isinstance(cell, int):
        return f"{cell:,}"
    if math.isinf(cell):
        return "∞" if cell > 0 else "-∞"
    if 0 < abs(cell) < 0.0005:
        return f"{cell:.1e}"
    return f"{cell:.3f}" if abs(cell) < 100 else f"{cell:,.0f}"


def _to_line(cell: str) -> str:
    """The cell without what would end it in a Markdown table."""
    return " ".join(cell.replace("|", "\\|").split())


def _escape_formula(cell: Cell) -> Cell:
    """The cell, with text that a spreadsheet would run as a formula made plain."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
