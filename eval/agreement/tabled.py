"""Agreement as a table: what `scribe agree` prints, and the same numbers for programs."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from eval.agreement.compared import TOGETHER, Pair, Spread
from eval.bench.figure import Figure
from eval.judge.judgement import LOCAL
from eval.significance import Interval, Share

HEAD = (
    "criterion", "raters", "n", "missing", "agree", "always the same", "kappa", "95 %", "yes", "over repeats", "flips",
)  # fmt: skip
EASIER = (
    "“people who agree” are the answers that two or more people labelled, and all of them alike. Where people disagree "
    "is left out, so a judge looks better there than beside each person."
)
NOTES = (
    "n: what both rated. always the same: raw agreement with the first rater of somebody who always gives that "
    "rater's commonest answer. yes: share of YES by the first and the second. over repeats: mean and deviation of "
    "the kappas of single repeats; the other columns take what most repeats say. flips: answers whose repeats "
    "contradict each other. “–”: not to be had; kappa is undefined where both say only yes or only no.",
    "The 95 % interval is Wilson's, of the raw agreement, carried over to kappa. It takes what was rated as "
    "independent; overall the same answer counts by several criteria, so there it may be too narrow.",
)
NOT_A_JUDGE = f"“{LOCAL}” are Scribe's checks without a model. They are not the judge of the rubrics."


def figure(found: Sequence[Pair], about: str) -> Figure:
    """The pairs as rows. about: what was read, and what of it could not be used."""
    rows = [_row(pair) for pair in found]
    told = [*NOTES]
    told += [EASIER] * any(pair.one == TOGETHER for pair in found)
    told += [NOT_A_JUDGE] * any(pair.other == LOCAL for pair in found)
    return Figure("Agreement of judges and people", about, HEAD, rows, [numbers(pair) for pair in found], told)


def numbers(pair: Pair) -> dict[str, Any]:
    """The same as JSON holds it; what is not to be had is null."""
    seen = pair.agreement
    return {
        "criterion": pair.criterion, "one": pair.one, "other": pair.other, "human": pair.human,
        "n": seen.agreed.of, "missing": seen.agreed.missing, "agreement": _known(seen.agreed.value),
        "kappa": _known(seen.kappa), "interval": asdict(seen.interval) if seen.interval else None,
        "yes_one": _known(seen.one.value), "yes_other": _known(seen.other.value), "constant": _known(seen.constant),
        "repeats": {name: _known(value) for name, value in asdict(pair.spread).items()} if pair.spread else None,
        "flips": _known(pair.flips.value) if pair.flips else None,
    }  # fmt: skip


def _row(pair: Pair) -> tuple[str, ...]:
    seen = pair.agreement
    raters = f"{pair.one} – {pair.other}" + (" (no model)" if pair.other == LOCAL else "")
    return (
        pair.criterion, raters, str(seen.agreed.of), str(seen.agreed.missing), _percent(seen.agreed.value),
        _percent(seen.constant), _kappa(seen.kappa), _between(seen.interval),
        f"{_percent(seen.one.value)}, {_percent(seen.other.value)}", _over(pair.spread), _flips(pair.flips),
    )  # fmt: skip


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1%}"


def _kappa(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _between(interval: Interval | None) -> str:
    return f"{interval.low:.2f} to {interval.high:.2f}" if interval else "–"


def _over(spread: Spread | None) -> str:
    if spread is None or spread.count < 2:
        return "–"
    return f"{spread.mean:.3f} ± {spread.deviation:.3f} ({spread.count})"


def _flips(flips: Share | None) -> str:
    return f"{flips.yes} of {flips.of}" if flips and flips.of else "–"
