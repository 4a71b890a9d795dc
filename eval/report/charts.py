"""The figures of a report: shares of YES with intervals, and how often tools were called.

Runs are told apart by colour and by hatching (of ablations and fine-tuned models as in the paper), so that the figures
can be read without colour and when printed in grey. Colours after Okabe and Ito, chosen for colour-blind readers.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from data.pictures.canvas import INK, LINE, SOFT, drawing_style
from eval.report.judged import Said, words
from eval.report.naming import plain
from eval.table import Table

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++", "ooo", "---")
WIDE, HIGH, DPI = 9.0, 3.7, 160
LETTERS = 120
"""How many letters of a legend stand beside one another."""
GROUP = 0.82
"""How much of the room between two groups of bars the bars take."""


@dataclass(frozen=True, slots=True)
class Chart:
    """id: its file's name. alt: what it shows, for those who cannot see it. png and svg: the same picture."""

    id: str
    title: str
    alt: str
    png: bytes
    svg: bytes


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar's height, and where its interval begins and ends."""

    value: float
    low: float
    high: float


def shares(id: str, title: str, said: Sequence[Said]) -> Chart:
    """Share of YES by criterion and run with Wilson's intervals (the paper's Fig. 4, and 6 to 9 for ablations)."""
    criteria = list(dict.fromkeys(each.criterion for each in said))
    runs = list(dict.fromkeys(each.run.name for each in said))
    bars = {(each.criterion, each.run.name): _bar(each) for each in said if each.verdicts.share.of}
    with drawing_style():
        figure, axes = blank(max(WIDE, 0.26 * len(criteria) * len(runs) + 2.0), HIGH)
        for place, run in enumerate(runs):
            _bars(axes, place, len(runs), run, [bars.get((criterion, run)) for criterion in criteria])
        axes.set_xticks(range(len(criteria)), [label(words(name)) for name in criteria])
        axes.set_ylim(0, 108)
        axes.set_yticks(range(0, 101, 20))
        axes.set_ylabel("share of YES, %", color=SOFT)
        legend(axes, len(runs))
        return finished(id, title, _told(said), figure)


def tools(table: Table, runs: Sequence[str]) -> Chart:
    """Share of each run's calls that went to each tool (the paper's Table 8)."""
    names = list(dict.fromkeys(str(row[1]) for row in table.rows))
    found = {(row[1], row[0]): 100 * float(row[3] or 0) for row in table.rows}
    with drawing_style():
        figure, axes = blank(WIDE, 1.1 + len(names) * (0.14 + 0.12 * len(runs)))
        height = GROUP / max(len(runs), 1)
        for place, run in enumerate(runs):
            values = [found.get((name, run), 0.0) for name in names]
            at = [number - GROUP / 2 + (place + 0.5) * height for number in range(len(names))]
            axes.barh(at, values, height, label=label(run), **_look(place))
            for y, value in zip(at, values, strict=True):
                axes.text(value + 0.4, y, f"{value:.1f}", va="center", fontsize=6.5, color=INK)
        axes.set_yticks(range(len(names)), [label(name) for name in names])
        axes.set_ylim(len(names) - 0.45, -0.55)
        axes.grid(visible=False, axis="y")
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("share of the run's calls, %", color=SOFT)
        legend(axes, len(runs))
        return finished("tools", "Tools that were called", f"Share of calls of {len(names)} tools by run.", figure)


def _bar(each: Said) -> Bar:
    share = each.verdicts.share
    interval = share.interval()
    return Bar(100 * share.value, 100 * interval.low, 100 * interval.high)


def _bars(axes: Axes, place: int, runs: int, name: str, bars: Sequence[Bar | None]) -> None:
    """One run's bars; where there is nothing it says so instead of standing at 0."""
    width = GROUP / runs
    at = [number - GROUP / 2 + (place + 0.5) * width for number in range(len(bars))]
    known = [(x, bar) for x, bar in zip(at, bars, strict=True) if bar]
    heights = [bar.value for _, bar in known]
    axes.bar([x for x, _ in known], heights, width * 0.94, label=label(name), **_look(place))
    spans = [[bar.value - bar.low for _, bar in known], [bar.high - bar.value for _, bar in known]]
    axes.errorbar([x for x, _ in known], heights, spans, fmt="none", ecolor=INK, elinewidth=1.1, capsize=2.5)
    for x, bar in known:
        size = 7 if runs <= 4 else 6
        axes.text(x, min(bar.high + 1.5, 102), f"{bar.value:.0f}", ha="center", fontsize=size, color=INK)
    for x in (x for x, bar in zip(at, bars, strict=True) if bar is None):
        axes.text(x, 1, "not judged", ha="center", va="bottom", rotation=90, fontsize=6.5, color=SOFT)


def _look(place: int) -> dict[str, Any]:
    """Fill and hatching; the latter moves on faster once colours are used up."""
    hatch = HATCHES[(place + place // len(COLOURS)) % len(HATCHES)]
    return {"color": COLOURS[place % len(COLOURS)], "hatch": hatch, "edgecolor": INK, "linewidth": 0.7}


def blank(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches with our axes: lines across at the heights."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.tick_params(length=0, labelsize=9)
    return figure, axes


def label(name: str, most: int = 48) -> str:
    """A name as a figure bears it: short, printable, and without the first _ that would keep it from the legend."""
    shown = plain(name if len(name) <= most else f"{name[: most - 1]}…")
    return f" {shown}" if shown.startswith("_") else shown


def legend(axes: Axes, runs: int) -> None:
    """Above the bars, so that it hides none."""
    longest = max((len(text) for text in axes.get_legend_handles_labels()[1]), default=0)
    columns = max(1, min(runs, 4, LETTERS // (longest + 8)))
    axes.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, frameon=False, fontsize=8.5, handlelength=2.4
    )


def _told(said: Sequence[Said]) -> str:
    shares = ((each, each.verdicts.share) for each in said)
    parts = (f"{words(each.criterion)}, {each.run.name}: {100 * s.value:.1f} %" for each, s in shares if s.of)
    return f"Share of YES. {'; '.join(parts)}."


def finished(id: str, title: str, alt: str, figure: Figure) -> Chart:
    """The figure as files."""
    png, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(png, format="png", dpi=DPI)
    # Without a date, the same results give the same bytes.
    figure.savefig(svg, format="svg", metadata={"Date": None})
    return Chart(id, title, alt, png.getvalue(), svg.getvalue())
