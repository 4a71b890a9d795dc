"""The comparison as pictures: densities of entropy and perplexity, cosines, and the t-SNE plane."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import gaussian_kde

from data.pictures.sheet import INK, LINE, SOFT, drawing
from eval.similarity.comparison import ALL, GroupComparison, QuestionComparison, QuestionSet

COLOURS = {"generated": "#0072b2", "real": "#d55e00", "random": "#8c8c8c"}
STYLES = {"generated": "-", "real": "--"}
MARKS = {"generated": "o", "real": "^", "random": "x"}
MEASURES = {"entropy": "Shannon entropy, bits", "perplexity": "perplexity (logarithm)"}
DPI, WIDE, HIGH = 160, 2.9, 2.5


def draw_figures(compared: QuestionComparison) -> dict[str, bytes]:
    """Draw PNG files by name: figures 10 to 14 of the paper's appendix D.2, and the plane of its Table 2."""
    drawn = {
        f"{measure}_by_{kind}": draw_densities(compared, measure, kind)
        for measure in MEASURES
        for kind in ("course", "category")
    }
    drawn |= {"cosine": draw_cosines(compared), "tsne": draw_plane(compared)}
    return {f"{name}.png": png for name, png in drawn.items()}


def draw_densities(compared: QuestionComparison, measure: str, kind: str) -> bytes:
    """Draw densities of a measure in both sets, one panel for each group that can be compared."""
    named = [group.name for group in compared.groups if _shown(group, kind)]
    with drawing():
        figure = Figure(figsize=(WIDE * len(named), HIGH), layout="constrained")
        for place, name in enumerate(named, start=1):
            axes = _plain(figure.add_subplot(1, len(named), place))
            ours = compared.find_generated(kind, name)
            theirs = compared.real.find(kind, name)
            generated, real = (_values(side, measure) for side in (compared.generated, compared.real))
            _plot_densities(axes, {"generated": generated[ours], "real": real[theirs]})
            axes.set_title(name, fontsize=9, color=INK)
            axes.set_xlabel(MEASURES[measure], fontsize=8, color=SOFT)
            axes.set_yticks([])
        figure.axes[0].legend(frameon=False, fontsize=7.5)
        return _png(figure)


def draw_cosines(compared: QuestionComparison) -> bytes:
    """Draw the mean cosine within each set by group, with bootstrap deviations."""
    groups = [group for group in compared.groups if group.generated_cosine and group.real_cosine]
    with drawing():
        figure = Figure(figsize=(max(4.5, 1.1 * len(groups)), 3.2), layout="constrained")
        axes = _plain(figure.add_subplot())
        for shift, source in ((-0.2, "generated"), (0.2, "real")):
            found = [getattr(group, f"{source}_cosine") for group in groups]
            axes.bar(
                [place + shift for place in range(len(groups))], [each.cosine for each in found], 0.38,
                yerr=[each.deviation for each in found], color=COLOURS[source], label=source, capsize=2,
                hatch="" if source == "generated" else "///", edgecolor=INK, linewidth=0.6,
            )  # fmt: skip
        axes.set_xticks(range(len(groups)), [group.name for group in groups])
        axes.set_ylabel("mean cosine of pairs", color=SOFT)
        axes.legend(frameon=False, fontsize=8)
        return _png(figure)


def draw_plane(compared: QuestionComparison) -> bytes:
    """Draw the t-SNE plane with each source's centre."""
    with drawing():
        figure = Figure(figsize=(5.2, 4.4), layout="constrained")
        axes = _plain(figure.add_subplot())
        for source, points in compared.points.items():
            (x, y), (x_mean, y_mean), colour = points.T, points.mean(0), COLOURS[source]
            axes.scatter(x, y, s=16, marker=MARKS[source], color=colour, label=source, linewidths=0.8)
            axes.scatter(x_mean, y_mean, s=110, marker="+", color=colour, linewidths=2.2)
        axes.legend(frameon=False, fontsize=8)
        axes.set_xlabel("t-SNE x; + is a source's centre", fontsize=8, color=SOFT)
        return _png(figure)


def _shown(group: GroupComparison, kind: str) -> bool:
    """Whether a group has a panel; that of all questions stands with the courses."""
    return group.entropy is not None and (group.kind == kind or (group.name == ALL and kind == "course"))


def _values(side: QuestionSet, measure: str) -> NDArray[np.float64]:
    return np.log10(side.perplexities) if measure == "perplexity" else side.entropies


def _plot_densities(axes: Axes, of: Mapping[str, NDArray[np.float64]]) -> None:
    """Gaussian kernel densities by source; values that are all the same have none and stand as a line."""
    both = np.concatenate(list(of.values()))
    grid = np.linspace(both.min() - 0.15 * np.ptp(both), both.max() + 0.15 * np.ptp(both), 300)
    for source, values in of.items():
        look: dict[str, Any] = {"color": COLOURS[source], "linestyle": STYLES[source]}
        look["label"] = f"{source} ({len(values)})"
        if np.ptp(values) == 0:
            axes.axvline(float(values[0]), **look)
            continue
        height = gaussian_kde(values)(grid)
        axes.plot(grid, height, **look)
        axes.fill_between(grid, height, alpha=0.15, color=COLOURS[source])


def _plain(axes: Axes) -> Axes:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.tick_params(length=0, labelsize=8)
    return axes


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DPI)
    return file.getvalue()
