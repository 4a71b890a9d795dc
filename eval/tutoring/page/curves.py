"""Figures of the page: tutoring outcome curves with bands, by what students know before (the paper's Fig. 4 and 5)."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from data.pictures.canvas import INK, LINE, SOFT, drawing_style
from eval.report.charts import COLOURS, Chart, finish_chart, make_label
from eval.tutoring.metrics.bootstrap import Estimate
from eval.tutoring.metrics.scaling import list_shown
from eval.tutoring.metrics.summary import RunSummary
from eval.tutoring.protocol.plan import ORACLE
from eval.tutoring.students.student import LEVELS

DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)), (0, (3, 3)))
MARKS = "osD^vPX*"
Look = Mapping[str, Any]
WIDE, HIGH = 11.0, 3.2


def draw_curves(summary: RunSummary, measure: str, rounds: int) -> Chart:
    """A measure before the dialogue and after each round, a panel for each group of students; the oracle is a line.

    Of tutors with several numbers of candidates only that with the most.
    """
    groups = ("overall", *LEVELS)
    shown = list_shown([each.tutor for each in summary.tutors])
    talking = [each for each in summary.tutors if each.tutor in shown and each.tutor != ORACLE]
    oracle = [each for each in summary.tutors if each.tutor == ORACLE]
    with drawing_style():
        figure = Figure(figsize=(WIDE, HIGH), layout="constrained")
        panels = figure.subplots(1, len(groups), sharey=True)
        for axes, group in zip(panels, groups, strict=True):
            dress_axes(axes)
            for place, each in enumerate(talking):
                draw_line(axes, range(rounds + 1), each.curves[measure][group][: rounds + 1], each.tutor, place)
            for each in oracle:
                top = each.curves[measure][group][-1].value
                if top is not None:
                    axes.axhline(top, color=INK, linewidth=1.0, linestyle=(0, (2, 3)), label="oracle")
            axes.set_title("all students" if group == "overall" else f"{group} knowledge", fontsize=9, color=INK)
            axes.set_xlabel("rounds", color=SOFT, fontsize=8.5)
            axes.set_xticks(range(0, rounds + 1, 2 if rounds > 4 else 1))
        panels[0].set_ylim(-2, 102)
        panels[0].set_ylabel(f"{measure.capitalize()}, %", color=SOFT)
        add_figure_legend(figure, panels[0])
        last = (f"{each.tutor} {each.curves[measure]['overall'][-1].value or 0:.1f}" for each in summary.tutors)
        alt = f"{measure.capitalize()} in percent after each round, by tutor and level; overall at the end: "
        return finish_chart(measure, f"{measure.capitalize()} after each round", f"{alt}{', '.join(last)}.", figure)


def draw_line(axes: Axes, at: Sequence[float], points: Sequence[Estimate], name: str, place: int) -> None:
    """A line through the points that have a value, with a band of their intervals."""
    known = [(x, point.value, point.interval) for x, point in zip(at, points, strict=True) if point.value is not None]
    xs, values = [x for x, _, _ in known], [value for _, value, _ in known]
    colour = COLOURS[place % len(COLOURS)]
    look: Look = {"color": colour, "linestyle": DASHES[place % len(DASHES)], "marker": MARKS[place % len(MARKS)]}
    axes.plot(xs, values, label=make_label(name), linewidth=1.6, markersize=3.6, **look)
    low = [interval.low if interval else value for _, value, interval in known]
    high = [interval.high if interval else value for _, value, interval in known]
    axes.fill_between(xs, low, high, color=colour, alpha=0.16, linewidth=0)


def dress_axes(axes: Axes) -> None:
    """Our axes: lines across at the heights, nothing at the top and the right."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.tick_params(length=0, labelsize=8)


def add_figure_legend(figure: Figure, axes: Axes) -> None:
    """One legend above all panels."""
    lines, names = axes.get_legend_handles_labels()
    longest = max((len(name) for name in names), default=0)
    columns = max(1, min(len(names), 140 // (longest + 8)))
    place = "outside upper center"
    figure.legend(lines, names, loc=place, ncols=columns, frameon=False, fontsize=8.5, handlelength=2.8)
