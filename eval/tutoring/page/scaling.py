"""How inference-time scaling is shown: a figure of two panels as the paper's Fig. 2, and the numbers behind it."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from data.pictures.canvas import SOFT, drawing_style
from eval.report.charts import Chart, finish_chart
from eval.table import Table
from eval.tutoring.metrics.scaling import ScalingPoint
from eval.tutoring.page.curves import add_figure_legend, draw_line, dress_axes
from eval.tutoring.page.tables import BRACKETS, tell_direction, write_estimate

Scaling = Mapping[str, Sequence[ScalingPoint]]
WIDE, HIGH = 9.0, 3.4


def draw_scaling(found: Scaling) -> Chart:
    """Pass against candidates a turn, and against tokens; where no model took part, against the words drawn."""
    spent = any(point.tokens for points in found.values() for point in points)
    with drawing_style():
        figure = Figure(figsize=(WIDE, HIGH), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for place, (family, points) in enumerate(found.items()):
            outcomes = [point.outcome for point in points]
            draw_line(left, [point.candidates for point in points], outcomes, family, place)
            costs = [point.tokens if spent else point.words for point in points]
            draw_line(right, costs, outcomes, family, place)
        for axes in (left, right):
            dress_axes(axes)
        left.set_ylabel("Pass, %", color=SOFT)
        left.set_xlabel("candidates a turn", color=SOFT, fontsize=8.5)
        left.set_xticks(sorted({point.candidates for points in found.values() for point in points}))
        unit = "tokens of a session, read and written" if spent else "words drawn in a session (no model took part)"
        right.set_xlabel(unit, color=SOFT, fontsize=8.5)
        add_figure_legend(figure, left)
        told = (
            f"{family} {point.candidates}: {point.outcome.value or 0:.1f}"
            for family, points in found.items()
            for point in points
        )
        alt = f"Pass in percent by candidates: {', '.join(told)}."
        return finish_chart("scaling", "Pass against candidates and against what they cost", alt, figure)


def tabulate_scaling(found: Scaling) -> Table:
    """A row of each number of candidates, beside the fewest of the same tutor."""
    rows = [
        (
            family, point.candidates, point.tasks, write_estimate(point.outcome),
            write_estimate(point.more.outcome) if point.more else "",
            tell_direction(point.more.outcome) if point.more else "",
            round(point.tokens), round(point.words),
        )
        for family, points in found.items()
        for point in points
    ]  # fmt: skip
    head = ("tutor", "candidates", "tasks", "Pass", "more than the first", "difference", "tokens", "words drawn")
    note = (
        "Pass after the last round in percent. More than the first: points beside the fewest candidates of the "
        f"same tutor, paired by task. {BRACKETS} tokens: of a session, read and written by all calls, a verifier's "
        "included. words drawn: of a session, all candidates together."
    )
    return Table("scaling", "Candidates", head, rows, note=note)
