"""Agreement as a table, for `scribe agree` and for a report, and as numbers for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from eval.agreement.raters import TOGETHER, RaterPair
from eval.judge.judgement import LOCAL
from eval.table import Cell, Table, to_cell

HEAD = (
    "criterion", "one", "other", "both people", "rated by both", "missing", "agree", "agree with constant", "kappa",
    "low", "high", "YES by one", "YES by other", "kappa over repeats", "deviation", "repeats", "flipped",
)  # fmt: skip
BRIEF = (
    "criterion", "one", "other", "rated by both", "missing", "agree", "agree with constant", "kappa", "low", "high",
    "YES by one", "YES by other", "kappa over repeats", "deviation",
)  # fmt: skip
PERCENT = ("agree", "agree with constant", "YES by one", "YES by other", "flipped")
NOTE = (
    "Rated by both: verdicts that both raters gave; missing: labelled, but the judge's verdict could not be read or "
    "has no majority. Agree: how often they say the same. Agree with constant: how often somebody would agree with the "
    "first who always gives that rater's commonest answer; kappa means little where this is nearly as high. Kappa is "
    "Cohen's (1: always agree, 0: as often as by chance); low and high, its 95 % interval: Wilson's of the agreement, "
    "carried over. It takes what was rated as independent; overall the same answer counts by several criteria, so it "
    "may be too narrow there. Kappa over repeats: mean and standard deviation of those of a judge's single repeats, "
    "while the other columns take what most of them say. A dash: undefined, as where both say only YES."
)
EASIER = (
    f"“{TOGETHER}” are the answers that two or more people labelled, and all of them alike. Where people disagree is "
    "left out, so a judge looks better there than beside each person."
)
NOT_A_JUDGE = f"“{LOCAL}” are Scribe's checks without a model. They are not the judge of the rubrics."


def make_table(pairs: Sequence[RaterPair]) -> Table:
    """Make a row of each pair."""
    notes = [NOTE]
    notes += [EASIER] * any(pair.one == TOGETHER for pair in pairs)
    notes += [NOT_A_JUDGE] * any(pair.other == LOCAL for pair in pairs)
    rows = [_row(pair) for pair in pairs]
    return Table("agreement", "Can the judge be trusted?", HEAD, rows, PERCENT, " ".join(notes), BRIEF)


def to_numbers(pair: RaterPair) -> dict[str, Any]:
    """The pair as JSON holds it."""
    seen = pair.agreement
    return {
        "criterion": pair.criterion, "one": pair.one, "other": pair.other, "human": pair.human,
        "n": seen.agreed.of, "missing": seen.agreed.missing, "agreement": to_cell(seen.agreed.value),
        "kappa": to_cell(seen.kappa), "interval": asdict(seen.interval) if seen.interval else None,
        "yes_one": to_cell(seen.one.value), "yes_other": to_cell(seen.other.value), "constant": to_cell(seen.constant),
        "repeats": {name: to_cell(value) for name, value in asdict(pair.spread).items()} if pair.spread else None,
        "flips": to_cell(pair.flips.value) if pair.flips else None,
    }  # fmt: skip


def _row(pair: RaterPair) -> tuple[Cell, ...]:
    numbers = to_numbers(pair)
    interval, repeats = numbers["interval"] or {}, numbers["repeats"] or {}
    other = f"{pair.other} (no model)" if pair.other == LOCAL else pair.other
    return (
        pair.criterion.replace("_", " "), pair.one, other, "yes" if pair.human else "no", numbers["n"],
        numbers["missing"], numbers["agreement"], numbers["constant"], numbers["kappa"], interval.get("low"),
        interval.get("high"), numbers["yes_one"], numbers["yes_other"], repeats.get("mean"), repeats.get("deviation"),
        repeats.get("count"), numbers["flips"],
    )  # fmt: skip
