"""The reliability curve: of students who were given a certain chance to pass, how many did."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from data.pictures.canvas import INK, LINE, SOFT, Canvas, drawing_style
from data.predictor.quality import Bin, Quality, Scores

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
SURE = 1.959964
"""The standard normal's 97.5 % quantile: intervals of 95 %."""
COLUMNS = (2.15, 2.95, 3.85, 4.95)
"""Right ends of the table's columns in inches."""


def draw_reliability_curve(quality: Quality, course: str = "") -> Figure:
    """Draw the reliability of each model, with intervals, its scores, and below where the students are.

    `course` is the title of the course. The intervals are Wilson's of 95 %. Raises ValueError for more models than
    there are looks.
    """
    if len(quality.models) > len(LOOKS):
        raise ValueError(f"at most {len(LOOKS)} models can be told apart, not {len(quality.models)}")
    with drawing_style():
        top = MARGIN + TABLE + ROW * (len(quality.models) + 1) + 0.2
        canvas = Canvas.blank(LEFT + SIDE + 0.35, top + SIDE + 0.2 + HISTOGRAM + 0.75)
        looks = dict(zip(quality.models, LOOKS, strict=False))
        _draw_head(canvas, quality, looks, course)
        curve = _add_axes(canvas, top, SIDE)
        _draw_curve(curve, quality.models, looks)
        counts = _add_axes(canvas, top + SIDE + 0.2, HISTOGRAM)
        _draw_histogram(counts, quality.models, looks)
        canvas.text(LEFT + SIDE / 2, canvas.height - 0.4, "chance to pass that was predicted", 8, align="center")
        canvas.text(MARGIN, canvas.height - 0.16, "Bars: 95 % intervals. Dotted: as many passed as predicted.", 7, SOFT)
        return canvas.figure


def describe_reliability(quality: Quality) -> str:
    """The reliability curve in words, a sentence for each model."""
    return " ".join(
        f"{name}: where it said {bins[0].predicted:.0%} on average, {bins[0].passed:.0%} passed, and where it said "
        f"{bins[-1].predicted:.0%}, {bins[-1].passed:.0%} did; on average it was off by {scores.calibration_error:.0%}."
        for name, scores in quality.models.items()
        for bins in (scores.reliability,)
    )


def _draw_head(canvas: Canvas, quality: Quality, looks: Mapping[str, dict[str, Any]], course: str) -> None:
    canvas.text(MARGIN, MARGIN + 0.1, "How far the predictions can be trusted", 12.5, weight="bold")
    told = f"{quality.students} students of an earlier run, {quality.passed:.0%} passed; no model had seen them"
    canvas.text(MARGIN, MARGIN + 0.36, course, 8, SOFT)
    canvas.text(MARGIN, MARGIN + 0.53, told, 7.5, SOFT)
    y = MARGIN + TABLE
    for end, name in zip(COLUMNS, SCORES, strict=True):
        canvas.text(end + 0.15, y, name, 7, SOFT, align="right")
    for name, scores in quality.models.items():
        y += ROW
        look = looks[name]
        canvas.axes.plot([MARGIN, MARGIN + 0.3], [y, y], markevery=[], linewidth=1.6, **look)
        canvas.axes.plot([MARGIN + 0.15], [y], markersize=5, **look)
        canvas.text(MARGIN + 0.4, y, name, 8)
        for end, score in zip(COLUMNS, SCORES.values(), strict=True):
            canvas.text(end + 0.15, y, f"{getattr(scores, score):.3f}", 8, align="right")


def _add_axes(canvas: Canvas, top: float, height: float) -> Axes:
    """Axes of the given place, in inches, with our thin frame and percentages from left to right."""
    below = 1 - (top + height) / canvas.height
    place = (LEFT / canvas.width, below, SIDE / canvas.width, height / canvas.height)
    axes = canvas.figure.add_axes(place, xlim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(LINE)
    axes.tick_params(colors=INK, labelsize=7.5, length=2.5, color=LINE)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    return axes


def _draw_curve(axes: Axes, models: Mapping[str, Scores], looks: Mapping[str, dict[str, Any]]) -> None:
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.9, linestyle=(0, (1, 2.5)))
    for name, scores in models.items():
        bins, color = scores.reliability, looks[name]["color"]
        means = [each.predicted for each in bins]
        spans = [wilson_interval(each.passed, each.count) for each in bins]
        axes.vlines(means, [low for low, _ in spans], [high for _, high in spans], color, linewidth=1.0, alpha=0.55)
        shares = [each.passed for each in bins]
        axes.plot(means, shares, linewidth=1.6, markersize=5, clip_on=False, zorder=4, **looks[name])
    axes.set_ylim(0, 1)
    axes.set_ylabel("share who passed", fontsize=8, color=INK)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xticklabels([])
    axes.grid(color=LINE, linewidth=0.5, alpha=0.7)
    axes.set_axisbelow(True)


def _draw_histogram(axes: Axes, models: Mapping[str, Scores], looks: Mapping[str, dict[str, Any]]) -> None:
    for name, scores in models.items():
        counts = estimate_histogram(scores.reliability)
        ends = [part / len(counts) for part in range(len(counts) + 1)]
        color, line = looks[name]["color"], looks[name]["linestyle"]
        axes.stairs(counts, ends, color=color, alpha=0.12, fill=True)
        axes.stairs(counts, ends, color=color, linestyle=line, linewidth=1.2)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("students", fontsize=8, color=INK)


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (0 to 1) seen in `count` students (E. B. Wilson 1927, equation 5)."""
    spread = SURE**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = SURE / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def estimate_histogram(bins: tuple[Bin, ...], parts: int = 10) -> tuple[float, ...]:
    """About how many students were given a chance in each equal part of 0 to 1; the sum is exact.

    A bin is taken to reach halfway to its neighbours' means, its students to lie evenly in it.
    """
    means = [each.predicted for each in bins]
    ends = (0.0, *((low + high) / 2 for low, high in itertools.pairwise(means)), 1.0)
    counts = [0.0] * parts
    for each, (low, high) in zip(bins, itertools.pairwise(ends), strict=True):
        for part in range(parts):
            counts[part] += each.count * _measure_overlap(low, high, part / parts, (part + 1) / parts)
    return tuple(counts)


def _measure_overlap(low: float, high: float, start: float, end: float) -> float:
    """The share of the span from low to high that lies between start and end."""
    if high - low < 1e-9:  # many students with one and the same chance
        return float(start <= low < end or (low >= end == 1.0))
    return max(0.0, min(high, end) - max(low, start)) / (high - low)
