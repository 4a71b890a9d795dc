"""The reliability curve: of students who were given a certain chance to pass, how many did."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from statsmodels.stats.proportion import proportion_confint

from data.pictures.canvas import INK, LINE, SOFT, drawing_style
from data.predictor.quality import Quality, Scores

# Colour, mark and line each tell the models apart, so that two of them may be lost in print.
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": "#0f766e", "marker": "o", "linestyle": "-"},
    {"color": "#b45309", "marker": "s", "linestyle": "--"},
    {"color": "#334155", "marker": "^", "linestyle": ":"},
)
KEY = "Bars: 95 % intervals. Dotted: as many passed as predicted."


def draw_reliability_curve(quality: Quality, course: str = "") -> Figure:
    """Each model's reliability with Wilson's 95 % intervals, and below where the students are."""
    with drawing_style():
        figure = Figure(figsize=(5.4, 7.6), layout="constrained")
        curve, counts = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1))
        told = f"{quality.students} students of an earlier run, {quality.passed:.0%} passed; no model had seen them"
        figure.suptitle("How far the predictions can be trusted", fontsize=12.5, color=INK, fontweight="bold")
        curve.set_title(f"{course}\n{told}", loc="left", fontsize=7.5, color=SOFT)
        curve.plot([0, 1], [0, 1], color=SOFT, linewidth=0.9, linestyle=(0, (1, 2.5)))
        for (name, scores), look in zip(quality.models.items(), LOOKS, strict=False):
            _draw_model(curve, counts, name, scores, look)
        curve.set(xlim=(0, 1), ylim=(0, 1))
        curve.set_ylabel("share who passed", fontsize=8, color=INK)
        counts.set_ylabel("students", fontsize=8, color=INK)
        counts.set_xlabel("chance to pass that was predicted", fontsize=8, color=INK)
        curve.yaxis.set_major_formatter(PercentFormatter(1))
        counts.xaxis.set_major_formatter(PercentFormatter(1))
        for axes in (curve, counts):
            axes.spines[["top", "right"]].set_visible(False)
            axes.tick_params(labelsize=7.5, color=LINE)
        curve.grid(color=LINE, linewidth=0.5)
        figure.legend(loc="outside lower left", frameon=False, fontsize=7.5, title=KEY, title_fontsize=7.5)
        return figure


def _draw_model(curve: Axes, counts: Axes, name: str, scores: Scores, look: dict[str, Any]) -> None:
    """One model's curve with its intervals, and the students of each bin at their mean."""
    means = [each.predicted for each in scores.reliability]
    shares = np.array([each.passed for each in scores.reliability])
    sizes = np.array([each.count for each in scores.reliability])
    low, high = proportion_confint(shares * sizes, sizes, method="wilson")
    said = (
        f"{name}: balanced accuracy {scores.balanced_accuracy:.3f}, AUC {scores.auc:.3f},\n"
        f"Brier score {scores.brier:.3f}, calibration error {scores.calibration_error:.3f}"
    )
    curve.vlines(means, low, high, look["color"], linewidth=1.0, alpha=0.55)
    curve.plot(means, shares, linewidth=1.6, markersize=5, clip_on=False, zorder=4, label=said, **look)
    line = {key: look[key] for key in ("color", "linestyle")}
    counts.hist(means, bins=10, range=(0, 1), weights=sizes, histtype="step", linewidth=1.2, **line)


def describe_reliability(quality: Quality) -> str:
    """The reliability curve in words, a sentence for each model."""
    return " ".join(
        f"{name}: where it said {bins[0].predicted:.0%} on average, {bins[0].passed:.0%} passed, and where it said "
        f"{bins[-1].predicted:.0%}, {bins[-1].passed:.0%} did; on average it was off by {scores.calibration_error:.0%}."
        for name, scores in quality.models.items()
        for bins in (scores.reliability,)
    )
