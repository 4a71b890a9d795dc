"""Runs of one family that differ in one setting, such as `toolace@32` and `toolace@256`."""

import math
from collections.abc import Sequence

from eval.report import verdicts
from eval.report.judged import called, number, questions, slug, words
from eval.report.runs import Run
from eval.significance import adjust_holm, measure_trend
from eval.table import Cell, Table

HEAD = ("family", "criterion", "settings", "questions", "z", "p", "p (Holm)")
NOTE = (
    "Whether the share of YES rises (z above 0) or falls (below 0) with the setting, by permuting each question's "
    "verdicts over the settings; only questions that every setting has a verdict on. p: two-sided, that there is no "
    "trend; Holm: corrected for all rows of this table. Families whose settings are no numbers are not in it."
)


def families(runs: Sequence[Run]) -> dict[str, tuple[Run, ...]]:
    """Family → its runs, for families with two or more settings: by number where all are numbers, else as given."""
    names = dict.fromkeys(run.family for run in runs if run.setting)
    found = {name: [run for run in runs if run.family == name and run.setting] for name in names}
    return {name: _ordered(members) for name, members in found.items() if len(members) > 1}


def alone(runs: Sequence[Run]) -> Sequence[Run]:
    """The runs that belong to no ablation, such as the base model `toolace` beside `toolace@32`; all if each does."""
    members = {run.name for each in families(runs).values() for run in each}
    return [run for run in runs if run.name not in members] or runs


def in_order(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs as tables show them: those of no ablation as given, then each family in the order of its settings."""
    members = [run for each in families(runs).values() for run in each]
    return (*(run for run in runs if run not in members), *members)


def trends(runs: Sequence[Run], judge: str) -> Table:
    """A trend test for each family whose settings are three or more different numbers."""
    rows: list[tuple[Cell, ...]] = []
    for name, members in families(runs).items():
        scores = [_score(run) for run in members]
        known = [score for score in scores if score is not None]
        if len(known) == len(members) and len(set(known)) > 2:
            rows += [_row(name, members, known, judge, each) for each in verdicts.criteria(members, judge)]
    adjusted = adjust_holm([float(row[-1] or 0.0) for row in rows if row[-1] is not None])
    corrected = iter(adjusted)
    rows = [(*row, None if row[-1] is None else next(corrected)) for row in rows]
    return Table(f"trends_{slug(judge)}", f"Does the setting matter? {called(judge)}", HEAD, rows, note=NOTE)


def _row(family: str, runs: Sequence[Run], scores: Sequence[float], judge: str, criterion: str) -> tuple[Cell, ...]:
    settled = [verdicts.of(run, judge, criterion).settled for run in runs]
    same = sorted(id for id, *_ in frozenset.intersection(*(questions(run) for run in runs)))
    rows = [[each.get(id) for each in settled] for id in same]
    whole = [row for row in rows if None not in row]
    settings = ", ".join(run.setting for run in runs)
    if not whole:
        return (family, words(criterion), settings, 0, None, None)
    found = measure_trend(whole, scores)
    return (family, words(criterion), settings, len(whole), number(found.z), found.p)


def _ordered(runs: Sequence[Run]) -> tuple[Run, ...]:
    scores = {run.name: _score(run) for run in runs}
    if None in scores.values():
        return tuple(runs)
    return tuple(sorted(runs, key=lambda run: scores[run.name] or 0.0))


def _score(run: Run) -> float | None:
    try:
        score = float(run.setting)
    except ValueError:
        return None
    return score if math.isfinite(score) else None
