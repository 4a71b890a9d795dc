"""All that is said of the tutors of a run: `summary.json` for programs, tables for people."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from eval.table import Cell, Table, to_cell
from eval.tutoring.metrics.bootstrap import Estimate
from eval.tutoring.metrics.dialogues import DialogueFigures, TracingFigures, describe_dialogues, measure_tracing
from eval.tutoring.metrics.outcome import (
    Groups,
    OutcomeDifference,
    compare_tutors,
    measure_outcomes,
    trace_curve,
)
from eval.tutoring.metrics.scores import MEASURES, TutorScores, collect_scores
from eval.tutoring.protocol.plan import ORACLE
from eval.tutoring.protocol.record import MeasuredSession
from eval.tutoring.students.student import LEVELS
from scribe.plumbing.files import write_text

SUMMARY = "summary.json"
COMPARED = ("recall", "pass")


@dataclass(frozen=True, slots=True)
class TutorSummary:
    """One tutor: outcomes by measure and group, curves by measure and group, what its dialogues were like.

    tasks: with sessions at every level; missing: of the run's tasks, those without.
    """

    tutor: str
    tasks: int
    missing: tuple[str, ...]
    outcomes: Mapping[str, Groups]
    curves: Mapping[str, Mapping[str, Sequence[Estimate]]]
    dialogues: DialogueFigures | None
    tracing: TracingFigures | None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """All tutors of a run, and every two of them compared by measure, the later named less the earlier."""

    sessions: int
    tutors: tuple[TutorSummary, ...]
    differences: Mapping[str, Sequence[OutcomeDifference]]


def summarise_run(sessions: Sequence[MeasuredSession], tutors: Sequence[str], tasks: Sequence[str]) -> RunSummary:
    """Tutors in the order given; one without a task that was measured at every level is left out."""
    scores = [collect_scores(sessions, tutor, tasks) for tutor in tutors]
    found = [each for each in scores if each.tasks]
    of = {each.tutor: [session for session in sessions if session.key.tutor == each.tutor] for each in found}
    differences = {
        measure: [
            compare_tutors(later, earlier, measure)
            for earlier, later in combinations(found, 2)
            if set(earlier.tasks) & set(later.tasks)
        ]
        for measure in COMPARED
    }
    return RunSummary(len(sessions), tuple(_summarise(each, of[each.tutor]) for each in found), differences)


def write_run_summary(path: Path, summary: RunSummary, about: Mapping[str, Any]) -> None:
    """Write `summary.json` whole or not at all; percents, and null where there is no value. Raises OSError."""
    content = {"about": about, **asdict(summary)}
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def make_summary_tables(summary: RunSummary) -> list[Table]:
    """The paper's Table 1 with intervals, what tutors differ by, and what their dialogues were like."""
    tables = [_tabulate_outcomes(summary), _tabulate_curves(summary)]
    if summary.differences["pass"]:
        tables.append(_tabulate_differences(summary))
    return [*tables, _tabulate_dialogues(summary)]


def _summarise(scores: TutorScores, sessions: Sequence[MeasuredSession]) -> TutorSummary:
    curves = {
        measure: {group: trace_curve(scores, measure, group) for group in ("overall", *LEVELS)} for measure in MEASURES
    }
    outcomes = measure_outcomes(scores)
    figures = describe_dialogues(sessions), measure_tracing(sessions)
    return TutorSummary(scores.tutor, len(scores.tasks), scores.missing, outcomes, curves, *figures)


def _tabulate_outcomes(summary: RunSummary) -> Table:
    rows: list[tuple[Cell, ...]] = []
    if summary.tutors:
        first = max(summary.tutors, key=lambda each: each.tasks)
        before = [first.outcomes[measure]["overall"].before for measure in COMPARED]
        blanks = ("",) * (len(LEVELS) * 2)
        rows.append(("Pre-Test", first.tasks, _format(before[0]), "", _format(before[1]), "", *blanks))
    for each in sorted(summary.tutors, key=lambda each: each.tutor == ORACLE):
        cells: list[Cell] = [each.tutor, each.tasks]
        for measure in COMPARED:
            outcome = each.outcomes[measure]["overall"]
            cells += [_format(outcome.after), _format(outcome.rate)]
        cells += [_format_value(each.outcomes[m][level].rate) for level in LEVELS for m in COMPARED]
        rows.append(tuple(cells))
    levels = (f"{level} {sign}" for level in LEVELS for sign in ("ΔR %", "ΔP %"))
    head = ("tutor", "tasks", "Recall", "ΔR %", "Pass", "ΔP %", *levels)
    note = (
        "Recall and Pass in percent, means over k of 1, 3, 5 and 10, levels and tasks; Δ % is the tutoring outcome rate"
        " against the pre-test, – where nothing passed before. In brackets: 95 % by drawing tasks anew."
    )
    return Table("outcomes", "Tutoring outcomes", head, rows, note=note)


def _tabulate_curves(summary: RunSummary) -> Table:
    rows = [
        (each.tutor, group, *(_format_value(point) for point in each.curves["pass"][group]))
        for each in summary.tutors
        for group in ("overall", *LEVELS)
    ]
    rounds = max((len(row) for row in rows), default=2) - 2
    return Table("curves", "Pass after each round, in percent", ("tutor", "students", *map(str, range(rounds))), rows)


def _tabulate_differences(summary: RunSummary) -> Table:
    rows = [
        (each.tutor, each.other, each.tasks, measure, _format(each.outcome), _format(each.rate))
        for measure in COMPARED
        for each in summary.differences[measure]
    ]
    head = ("tutor", "less", "tasks", "measure", "points", "points of Δ %")
    return Table("differences", "What tutors differ by, on the same tasks", head, rows)


def _tabulate_dialogues(summary: RunSummary) -> Table:
    percent = ("reached", "overloaded", "lost")
    rows: list[tuple[Cell, ...]] = []
    for each in summary.tutors:
        told, traced = each.dialogues, each.tracing
        if told is None:
            continue
        tracing = (to_cell(traced.loss), to_cell(traced.always)) if traced else (None, None)
        tokens = (round(told.prompt), round(told.completion))
        shares = (told.reached, told.overloaded, told.lost)
        rows.append((each.tutor, told.sessions, round(told.rounds, 1), round(told.words), *shares, *tokens, *tracing))
    head = (
        "tutor",
        "sessions",
        "rounds",
        "words",
        "reached",
        "overloaded",
        "lost",
        "read",
        "written",
        "loss",
        "always",
    )
    note = (
        "rounds of a session; words of a tutor's turn; reached: sessions that ended at the goal; overloaded: turns"
        " beyond 60 words; lost: words that were not heard; tokens of a session; loss: of the tutor's beliefs about"
        " what students know, in nats, beside that of always saying the share known."
    )
    return Table("dialogues", "The dialogues", head, rows, percent, note)


def _format(found: Estimate) -> str:
    if found.value is None or found.interval is None:
        return _format_value(found)
    return f"{found.value:.1f} [{found.interval.low:.1f}, {found.interval.high:.1f}]"


def _format_value(found: Estimate) -> str:
    return "–" if found.value is None else f"{found.value:.1f}"
