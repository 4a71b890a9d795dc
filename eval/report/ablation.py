"""Runs of one family that differ in one setting, such as `toolace@32` and `toolace@256`."""

from collections.abc import Sequence

from eval.report import verdicts
from eval.report.judged import number, questions, slug, words
from eval.report.runs import Run
from eval.significance import paired_trend
from eval.table import Cell, Table

HEAD = ("family", "criterion", "settings", "questions", "z", "p")
NOTE = (
    "Whether the share of YES rises (z above 0) or falls with the setting, by permuting each question's verdicts over "
    "the settings; only questions that every setting has a verdict on. Settings that are no numbers are not ranked."
)


def families(runs: Sequence[Run]) -> dict[str, tuple[Run, ...]]:
    """Family → its runs in the order given, for families with two or more settings."""
    names = dict.fromkeys(run.family for run in runs if run.setting)
    found = {name: tuple(run for run in runs if run.family == name and run.setting) for name in names}
    return {name: members for name, members in found.items() if len(members) > 1}


def trends(runs: Sequence[Run], judge: str) -> Table:
    """A trend test for each family whose settings are three or more different numbers."""
    rows: list[tuple[Cell, ...]] = []
    for name, members in families(runs).items():
        scores = [_score(run) for run in members]
        known = [score for score in scores if score is not None]
        if len(known) == len(members) and len(set(known)) > 2:
            rows += [_row(name, members, known, judge, each) for each in verdicts.criteria(members, judge)]
    return Table(f"trends_{slug(judge)}", "Does the setting matter?", HEAD, rows, note=NOTE)


def _row(family: str, runs: Sequence[Run], scores: Sequence[float], judge: str, criterion: str) -> tuple[Cell, ...]:
    settled = [verdicts.of(run, judge, criterion).settled for run in runs]
    same = sorted(id for id, *_ in frozenset.intersection(*(questions(run) for run in runs)))
    rows = [[each.get(id) for each in settled] for id in same]
    whole = [row for row in rows if None not in row]
    settings = ", ".join(run.setting for run in runs)
    if not whole:
        return (family, words(criterion), settings, 0, None, None)
    found = paired_trend(whole, scores)
    return (family, words(criterion), settings, len(whole), number(found.z), found.p)


def _score(run: Run) -> float | None:
    try:
        return float(run.setting)
    except ValueError:
        return None
