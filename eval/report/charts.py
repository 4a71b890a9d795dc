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
from eval.report.runs import replace_unprintable
from eval.report.shares import JudgedShare, to_words
from eval.significance import Share
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


def draw_shares(id: str, title: str, shares: Sequence[JudgedShare]) -> Chart:
    """Draw the share of YES by criterion and run with Wilson's intervals (the paper's Fig. 4, and 6 to 9)."""
    criteria = list(dict.fromkeys(each.criterion for each in shares))
    runs = list(dict.fromkeys(each.run.name for each in shares))
    known = {(each.criterion, each.run.name): each.verdicts.share for each in shares if each.verdicts.share.of}
    with drawing_style():
        figure, axes = start_figure(max(WIDE, 0.26 * len(criteria) * len(runs) + 2.0), HIGH)
        for place, run in enumerate(runs):
            _draw_bars(axes, place, len(runs), run, [known.get((criterion, run)) for criterion in criteria])
        axes.set_xticks(range(len(criteria)), [make_label(to_words(name)) for name in criteria])
        axes.set_ylim(0, 108)
        axes.set_yticks(range(0, 101, 20))
        axes.set_ylabel("share of YES, %", color=SOFT)
        add_legend(axes, len(runs))
        listed = (f"{to_words(name)}, {run}: {100 * share.value:.1f} %" for (name, run), share in known.items())
        return finish_chart(id, title, f"Share of YES. {'; '.join(listed)}.", figure)


def draw_tools(table: Table, runs: Sequence[str]) -> Chart:
    """Draw the share of each run's calls that went to each tool (the paper's Table 8)."""
    rows = table.named_rows()
    names = list(dict.fromkeys(str(row["tool"]) for row in rows))
    shares = {(row["tool"], row["run"]): 100 * float(row["share of calls"] or 0) for row in rows}
    with drawing_style():
        figure, axes = start_figure(WIDE, 1.1 + len(names) * (0.14 + 0.12 * len(runs)))
        height = GROUP / max(len(runs), 1)
        for place, run in enumerate(runs):
            values = [shares.get((name, run), 0.0) for name in names]
            at = [number - GROUP / 2 + (place + 0.5) * height for number in range(len(names))]
            axes.barh(at, values, height, label=make_label(run), **choose_look(place))
            for y, value in zip(at, values, strict=True):
                axes.text(value + 0.4, y, f"{value:.1f}", va="center", fontsize=6.5, color=INK)
        axes.set_yticks(range(len(names)), [make_label(name) for name in names])
        axes.set_ylim(len(names) - 0.45, -0.55)
        axes.grid(visible=False, axis="y")
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("share of the run's calls, %", color=SOFT)
        add_legend(axes, len(runs))
        return finish_chart("tools", "Tools that were called", f"Share of calls of {len(names)} tools by run.", figure)


def make_label(name: str, most: int = 48) -> str:
    """Make a name fit a figure: short, printable, and without the first _ that would keep it from the legend."""
    label = replace_unprintable(name if len(name) <= most else f"{name[: most - 1]}…")
    return f" {label}" if label.startswith("_") else label


def _draw_bars(axes: Axes, place: int, runs: int, name: str, shares: Sequence[Share | None]) -> None:
    """One run's bars; where there is nothing it says so instead of standing at 0."""
    width = GROUP / runs
    at = [number - GROUP / 2 + (place + 0.5) * width for number in range(len(shares))]
    known = [(x, share) for x, share in zip(at, shares, strict=True) if share]
    xs, heights = [x for x, _ in known], [100 * share.value for _, share in known]
    ends = [share.interval() for _, share in known]
    below = [height - 100 * end.low for height, end in zip(heights, ends, strict=True)]
    above = [100 * end.high - height for height, end in zip(heights, ends, strict=True)]
    axes.bar(xs, heights, width * 0.94, label=make_label(name), **choose_look(place))
    axes.errorbar(xs, heights, [below, above], fmt="none", ecolor=INK, elinewidth=1.1, capsize=2.5)
    for x, height, end in zip(xs, heights, ends, strict=True):
        y = min(100 * end.high + 1.5, 102)
        axes.text(x, y, f"{height:.0f}", ha="center", fontsize=7 if runs <= 4 else 6, color=INK)
    for x in set(at) - set(xs):
        axes.text(x, 1, "not judged", ha="center", va="bottom", rotation=90, fontsize=6.5, color=SOFT)


def choose_look(place: int) -> dict[str, Any]:
    """Fill and hatching; the latter moves on faster once colours are used up."""
    hatch = HATCHES[(place + place // len(COLOURS)) % len(HATCHES)]
    return {"color": COLOURS[place % len(COLOURS)], "hatch": hatch, "edgecolor": INK, "linewidth": 0.7}


def start_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of so many inches with our axes: lines across at the heights."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.tick_params(length=0, labelsize=9)
    return figure, axes


def add_legend(axes: Axes, runs: int) -> None:
    """Above the bars, so that it hides none."""
    longest = max((len(text) for text in axes.get_legend_handles_labels()[1]), default=0)
    columns = max(1, min(runs, 4, LETTERS // (longest + 8)))
    axes.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, frameon=False, fontsize=8.5, handlelength=2.4
    )


def finish_chart(id: str, title: str, alt: str, figure: Figure) -> Chart:
    png, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(png, format="png", dpi=DPI)
    # Without a date, the same results give the same bytes.
    figure.savefig(svg, format="svg", metadata={"Date": None})
    return Chart(id, title, alt, png.getvalue(), svg.getvalue())
