"""Kappa by criterion: people beside people, and each judge beside what the people agree on."""

from collections.abc import Sequence
from typing import Any

from data.pictures.canvas import INK, SOFT, drawing_style
from eval.agreement.compared import OVERALL, TOGETHER
from eval.report.charts import COLOURS, HIGH, WIDE, Chart, blank, finished, label, legend
from eval.table import Cell, Table

MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
SPREAD = 0.5
"""How far the points of one criterion stand apart, in widths of a criterion."""


def drawn(table: Table) -> Chart:
    """The kappas of an agreement table with their intervals; a kappa that is undefined is left out."""
    rows = _shown(table)
    criteria = sorted({str(row["criterion"]) for row in rows}, key=lambda name: (name == OVERALL, name))
    raters = list(dict.fromkeys(_raters(row) for row in rows))
    with drawing_style():
        figure, axes = blank(WIDE, HIGH)
        for place, who in enumerate(raters):
            shift = SPREAD * ((place + 0.5) / len(raters) - 0.5)
            points = [row for row in rows if _raters(row) == who and row["kappa"] is not None]
            at = [criteria.index(str(row["criterion"])) + shift for row in points]
            kappas = [_number(row["kappa"]) for row in points]
            spans = [
                [kappa - _number(row["low"]) for kappa, row in zip(kappas, points, strict=True)],
                [_number(row["high"]) - kappa for kappa, row in zip(kappas, points, strict=True)],
            ]
            look: dict[str, Any] = {"color": COLOURS[place % len(COLOURS)], "marker": MARKS[place % len(MARKS)]}
            axes.errorbar(
                at, kappas, spans, linestyle="none", markersize=8, markeredgecolor=INK, ecolor=INK, capsize=3,
                elinewidth=1.1, label=label(who), **look,
            )  # fmt: skip
        axes.set_xticks(range(len(criteria)), [label(name) for name in criteria])
        axes.set_xlim(-0.5, len(criteria) - 0.5)
        axes.set_ylim(min([0.0, *(_number(row["low"]) for row in rows if row["low"] is not None)]) - 0.05, 1.05)
        axes.set_ylabel("Cohen's kappa", color=SOFT)
        legend(axes, len(raters))
        return finished("agreement", "Kappa with its 95 % interval", _told(rows), figure)


def _shown(table: Table) -> list[dict[str, Cell]]:
    """People with people, and judges with all people together; with each person where there is but one."""
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    together = [row for row in rows if row["both people"] == "yes" or row["one"] == TOGETHER]
    return together if any(row["one"] == TOGETHER for row in rows) else rows


def _raters(row: dict[str, Cell]) -> str:
    return f"{row['one']} – {row['other']}"


def _number(cell: Cell) -> float:
    return float(cell or 0.0)


def _told(rows: Sequence[dict[str, Cell]]) -> str:
    said = (
        f"{_raters(row)}, {row['criterion']}: {_number(row['kappa']):.2f}" for row in rows if row["kappa"] is not None
    )
    return f"Cohen's kappa. {'; '.join(said)}."
