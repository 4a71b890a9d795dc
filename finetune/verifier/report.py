"""The verifier's scores as tables."""

from collections.abc import Mapping

from eval.table import Cell, Table
from eval.tutoring.metrics.bootstrap import Estimate
from finetune.verifier.scores import VerifierScores


def make_verifier_tables(scores: Mapping[str, VerifierScores], dialogues: int, successes: int) -> tuple[Table, Table]:
    """One with a row for each model, and one with the AUC of each turn."""
    rows: list[tuple[Cell, ...]] = [
        (name, *(show_estimate(each) for each in (found.auc, found.brier, found.pairwise)))
        for name, found in scores.items()
    ]
    pairs = next(iter(scores.values())).pairs
    note = (
        f"{dialogues} dialogues, {successes} of them successes; every reward by a model that did not see the task. "
        f"Pairwise: {pairs} pairs of the same task, level and turn with different outcomes. In brackets "
        "95 % by drawing tasks anew."
    )
    whole = Table("verifier", "Foretelling rewards", ("model", "AUC", "Brier", "pairwise"), rows, note=note)
    turns = sorted({turn for found in scores.values() for turn in found.by_turn})
    lines: list[tuple[Cell, ...]] = [
        (name, *(show_estimate(found.by_turn[turn]) for turn in turns)) for name, found in scores.items()
    ]
    return whole, Table("verifier-turns", "AUC by turn", ("model", *map(str, turns)), lines)


def show_estimate(found: Estimate) -> Cell:
    """A value with its interval, or a dash."""
    if found.value is None:
        return None
    held = f" [{found.interval.low:.3f}, {found.interval.high:.3f}]" if found.interval else ""
    return f"{found.value:.3f}{held}"
