"""The page as a file: `index.html`, without a script, a font or an address."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from eval.report.charts import Chart
from eval.report.page import make_environment
from eval.table import Table
from eval.tutoring.metrics.scaling import list_shown, measure_scaling
from eval.tutoring.metrics.summary import RunSummary
from eval.tutoring.page.curves import draw_curves
from eval.tutoring.page.scaling import draw_scaling, tabulate_scaling
from eval.tutoring.page.tables import (
    tabulate_by_k,
    tabulate_dialogues,
    tabulate_differences,
    tabulate_levels,
    tabulate_outcomes,
    tabulate_tracing,
)
from eval.tutoring.page.worst import TaskWords, WorstDialogue, find_worst
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import MeasuredSession
from eval.tutoring.protocol.run import RunOutcome
from scribe.plumbing.files import write_text

PAGE = "index.html"
WORST = 3
FEW = 10
"""Tasks below which intervals by drawing tasks anew are said to be too narrow."""


@dataclass(frozen=True, slots=True)
class TutoringPage:
    """All that the page shows. missing: sentences on what is not there; worst: dialogues by tutor."""

    plan: MeasurementPlan
    outcome: RunOutcome
    missing: tuple[str, ...]
    outcomes: tuple[Table, ...]
    curves: tuple[Chart, ...]
    scaling: tuple[Chart, Table] | None
    differences: Table | None
    dialogues: Table | None
    tracing: Table | None
    worst: Mapping[str, Sequence[WorstDialogue]]


def build_page(
    plan: MeasurementPlan,
    outcome: RunOutcome,
    sessions: Sequence[MeasuredSession],
    summary: RunSummary,
    tasks: Mapping[str, TaskWords],
    worst: int = WORST,
    others: Mapping[str, int] = {},
) -> TutoringPage:
    """The page on a plan's sessions, as far as they are there. others: sessions of the folder that it does not name."""
    missing = tuple(_list_missing(plan, outcome, summary, others))
    if not summary.tutors:
        return TutoringPage(plan, outcome, missing, (), (), None, None, None, None, {})
    scaling = measure_scaling(summary.tutors, sessions)
    shown = set(list_shown(plan.tutors))
    return TutoringPage(
        plan,
        outcome,
        missing,
        (tabulate_outcomes(summary), tabulate_levels(summary), tabulate_by_k(summary, sessions)),
        tuple(draw_curves(summary, measure, plan.rounds) for measure in ("pass", "recall")),
        (draw_scaling(scaling), tabulate_scaling(scaling)) if scaling else None,
        tabulate_differences(summary),
        tabulate_dialogues(summary),
        tabulate_tracing(summary),
        {
            each.tutor: find_worst(sessions, each.tutor, tasks, worst)
            for each in summary.tutors
            if each.dialogues and each.tutor in shown
        },
    )


def render_tutoring_page(page: TutoringPage) -> str:
    """The page as HTML text; whatever a model wrote is escaped."""
    environment = make_environment()
    css = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    environment.globals["own_css"] = Markup(css)
    return environment.get_template("tutoring/page/page.html.jinja").render(page=page)


def write_tutoring_page(folder: Path, page: TutoringPage) -> Path:
    """Write the page into a folder, whole or not at all, and return where it is. Raises OSError."""
    write_text(folder / PAGE, render_tutoring_page(page))
    return folder / PAGE


def _list_missing(
    plan: MeasurementPlan, outcome: RunOutcome, summary: RunSummary, others: Mapping[str, int]
) -> Iterator[str]:
    if outcome.done < outcome.wanted:
        yield (
            f"{outcome.wanted - outcome.done} of {outcome.wanted} sessions are missing, so the figures below are of a "
            "part of the tasks. The same command goes on where it was."
        )
    for trouble, count in sorted(outcome.failed.items(), key=lambda each: -each[1]):
        yield f"{count} sessions failed: {trouble}"
    found = {each.tutor: each for each in summary.tutors}
    for tutor in plan.tutors:
        if tutor not in found:
            yield f"{tutor}: no task has been measured at all three levels yet, so it is in no table."
        elif found[tutor].missing:
            lacking = found[tutor].missing
            yield f"{tutor}: {len(lacking)} of {len(plan.tasks)} tasks lack a level and are left out of its figures."
    most = max((each.tasks for each in summary.tutors), default=0)
    if 0 < most < FEW:
        yield f"Only {most} tasks: with so few, intervals by drawing tasks anew are too narrow."
    if others:
        told = ", ".join(f"{name} ({count})" for name, count in sorted(others.items()))
        yield f"Not on this page, since the command did not name them, though the folder has sessions of them: {told}."
