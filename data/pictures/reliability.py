"""The reliability curve: of students who were given a certain chance to pass, how many did."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from data.pictures.quality import histogram, wilson
from data.pictures.sheet import INK, LINE, SOFT, Sheet, drawing
from data.predictor.quality import Quality, Scores

MARGIN, LEFT, SIDE, HISTOGRAM = 0.2, 0.62, 4.3, 0.85
TABLE, ROW = 0.83, 0.21
# Colour, mark and line each tell the models apart, so that two of them may be lost in print.
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": "#0f766e", "marker": "o", "linestyle": "-"},
    {"color": "#b45309", "marker": "s", "linestyle": "--"},
    {"color": "#334155", "marker": "^", "linestyle": ":"},
)
SCORES = {
    "balanced accuracy": "balanced_accuracy",
    "AUC": "auc",
    "Brier score": "brier",
    "calibration error": "calibration_error",
}
COLUMNS = (2.15, 2.95, 3.85, 4.95)
"""Right ends of the table's columns in inches."""


def reliability(quality: Quality, course: str = "") -> Figure:
    """Draw the reliability of each model, with intervals, its scores, and below where the students are.

    `course` is the title of the course. The intervals are Wilson's of 95 %. Raises ValueError for more models than
    there are looks.
    """
    if len(quality.models) > len(LOOKS):
        raise ValueError(f"at most {len(LOOKS)} models can be told apart, not {len(quality.models)}")
    with drawing():
        top = MARGIN + TABLE + ROW * (len(quality.models) + 1) + 0.2
        sheet = Sheet.blank(LEFT + SIDE + 0.35, top + SIDE + 0.2 + HISTOGRAM + 0.75)
        looks = dict(zip(quality.models, LOOKS, strict=False))
        _head(sheet, quality, looks, course)
        curve = _axes(sheet, top, SIDE)
        _curve(curve, quality.models, looks)
        counts = _axes(sheet, top + SIDE + 0.2, HISTOGRAM)
        _histogram(counts, quality.models, looks)
        sheet.text(LEFT + SIDE / 2, sheet.height - 0.4, "chance to pass that was predicted", 8, align="center")
        sheet.text(MARGIN, sheet.height - 0.16, "Bars: 95 % intervals. Dotted: as many passed as predicted.", 7, SOFT)
        return sheet.figure


def _head(sheet: Sheet, quality: Quality, looks: Mapping[str, dict[str, Any]], course: str) -> None:
    sheet.text(MARGIN, MARGIN + 0.1, "How far the predictions can be trusted", 12.5, weight="bold")
    told = f"{quality.students} students of an earlier run, {quality.passed:.0%} passed; no model had seen them"
    sheet.text(MARGIN, MARGIN + 0.36, course, 8, SOFT)
    sheet.text(MARGIN, MARGIN + 0.53, told, 7.5, SOFT)
    y = MARGIN + TABLE
    for end, name in zip(COLUMNS, SCORES, strict=True):
        sheet.text(end + 0.15, y, name, 7, SOFT, align="right")
    for name, scores in quality.models.items():
        y += ROW
        look = looks[name]
        sheet.axes.plot([MARGIN, MARGIN + 0.3], [y, y], markevery=[], linewidth=1.6, **look)
        sheet.axes.plot([MARGIN + 0.15], [y], markersize=5, **look)
        sheet.text(MARGIN + 0.4, y, name, 8)
        for end, score in zip(COLUMNS, SCORES.values(), strict=True):
            sheet.text(end + 0.15, y, f"{getattr(scores, score):.3f}", 8, align="right")


def _axes(sheet: Sheet, top: float, height: float) -> Axes:
    """Axes of the given place, in inches, with our thin frame and percentages from left to right."""
    below = 1 - (top + height) / sheet.height
    place = (LEFT / sheet.width, below, SIDE / sheet.width, height / sheet.height)
    axes = sheet.figure.add_axes(place, xlim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(LINE)
    axes.tick_params(colors=INK, labelsize=7.5, length=2.5, color=LINE)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    return axes


def _curve(axes: Axes, models: Mapping[str, Scores], looks: Mapping[str, dict[str, Any]]) -> None:
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.9, linestyle=(0, (1, 2.5)))
    for name, scores in models.items():
        bins, color = scores.reliability, looks[name]["color"]
        means = [each.predicted for each in bins]
        spans = [wilson(each.passed, each.count) for each in bins]
        axes.vlines(means, [low for low, _ in spans], [high for _, high in spans], color, linewidth=1.0, alpha=0.55)
        shares = [each.passed for each in bins]
        axes.plot(means, shares, linewidth=1.6, markersize=5, clip_on=False, zorder=4, **looks[name])
    axes.set_ylim(0, 1)
    axes.set_ylabel("share who passed", fontsize=8, color=INK)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xticklabels([])
    axes.grid(color=LINE, linewidth=0.5, alpha=0.7)
    axes.set_axisbelow(True)


def _histogram(axes: Axes, models: Mapping[str, Scores], looks: Mapping[str, dict[str, Any]]) -> None:
    for name, scores in models.items():
        counts = histogram(scores.reliability)
        ends = [part / len(counts) for part in range(len(counts) + 1)]
        color, line = looks[name]["color"], looks[name]["linestyle"]
        axes.stairs(counts, ends, color=color, alpha=0.12, fill=True)
        axes.stairs(counts, ends, color=color, linestyle=line, linewidth=1.2)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("students", fontsize=8, color=INK)
