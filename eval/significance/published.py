"""The paper's Tables 3 to 5 beside what our functions make of the counts: `python -m eval.significance.published`.

The counts of Tables 4 and 5 are printed nowhere; what can be done is to look for counts that give both the printed
odds ratio and the printed p, for each way of pooling the models that the text allows.
"""

import argparse
from pathlib import Path

from eval.bench.figure import Figure
from eval.significance.comparing import fisher
from eval.significance.feasible import Counts, by_chance, feasible
from eval.significance.paper import (
    BASE,
    CRITERIA,
    OVER_70B,
    OVER_BASE,
    QUESTIONS,
    SCRIBE,
    TABLE_3,
    TESTS,
    Printed,
    Row3,
)
from eval.significance.share import Share

ONE, EIGHT, ALL = QUESTIONS, 2 * QUESTIONS, 3 * QUESTIONS
POOLS = {True: ((ONE, ONE), (EIGHT, EIGHT), (ALL, ALL)), False: ((ONE, ONE), (EIGHT, ONE))}
"""Over the base: one model, the two of 8B, all three. Over the 70B: one model, or the two of 8B together."""


def table_3() -> Figure:
    """Errors: √(p(1 − p)/n) from the counts beside those printed."""
    cells = [(row, place) for row in TABLE_3 for place in range(len(CRITERIA))]
    rows = [_row_3(row, place) for row, place in cells]
    apart = max(abs(row.cells[place][1] - _error(row, place)) for row, place in cells if row.questions == QUESTIONS)
    few = max(abs(row.cells[place][1] - _error(row, place)) for row, place in cells if row.questions != QUESTIONS)
    notes = (
        f"Every percentage is a whole count of its n. The errors are reproduced to within {apart:.2f} points with "
        f"{QUESTIONS} questions and {few:.2f} with 27, not exactly: no formula can, since one percentage is printed "
        "with two errors (83.33 ± 2.71 and ± 2.80 of 192, 77.78 ± 7.60 and ± 7.70 of 27). Errors that differ so for "
        "the same count are drawn at random, as by a bootstrap; the paper does not say.",
    )
    head = ("model", "web search", "criterion", "count", "printed", "error reproduced", "Wilson 95 %")
    about = "Standard errors, in percentage points."
    return Figure("Table 3", about, head, rows, [list(row) for row in rows], notes)


def _row_3(row: Row3, place: int) -> tuple[str, ...]:
    percent, error = row.cells[place]
    seen = _share(row, place)
    low, high = seen.interval().low * 100, seen.interval().high * 100
    whole = f"{seen.yes}/{seen.of}" + ("" if f"{100 * seen.value:.2f}" == f"{percent:.2f}" else " (not whole)")
    found = f"{_error(row, place):.2f}"
    searched = "yes" if row.web_search else "no"
    return (
        row.model,
        searched,
        CRITERIA[place],
        whole,
        f"{percent:.2f} ± {error:.2f}",
        found,
        f"{low:.1f} to {high:.1f}",
    )


def _share(row: Row3, place: int) -> Share:
    return Share(round(row.cells[place][0] / 100 * row.questions), row.questions)


def _error(row: Row3, place: int) -> float:
    return 100 * _share(row, place).error


def tables_4_and_5() -> Figure:
    """Tables 4 and 5: for each pooling the counts that give what is printed."""
    rows = [_row(test, of) for test in TESTS for of in POOLS[test.compared == OVER_BASE]]
    notes = (
        "Counts: how many pairs of counts round to both the printed odds ratio and the printed p (sample odds ratio, "
        "two-sided), and hold what is known of a part of them: ToolACE-8B from Table 3, the two models of 8B from the "
        "same table's test against the 70B.",
        "Over the base, one model's 192 questions reproduce no cell of either table, nor do two models; three together "
        "(576 answers a side) reproduce all. Against the 70B, two models together (384 answers against 192) reproduce "
        "all. by chance: how many of 40 made-up cells, with an odds ratio within 3 % and a p within 30 % of the "
        "printed, have counts too. In Table 4 few do, so the matches mean something: its tests pool models, which "
        "the paper does not say, and treat answers to the same question as independent, which they are not. Table 5 "
        "prints fewer decimals; there most made-up cells have counts, so it fits this reading and hardly supports it.",
        "Where one pair of counts is left the cell is reproduced exactly, given that pooling; with several, the two or "
        "three printed decimals do not tell which. Which model has which share cannot be reproduced: Fig. 4 prints "
        "no numbers. Nor can the tests be repeated in pairs (McNemar), for want of the single verdicts.",
    )
    head = ("table", "compared", "criterion", "printed", "answers", "counts", "percent YES", "reproduced", "by chance")
    return Figure("Tables 4 and 5", "Fisher's exact test.", head, rows, [list(row) for row in rows], notes)


def _row(test: Printed, of: tuple[int, int]) -> tuple[str, ...]:
    found = candidates(test, of)
    shown = "; ".join(counts.percent for counts in found[:3]) + ("; …" if len(found) > 3 else "")
    return (
        str(test.table), test.compared, test.criterion, printed(test, test.odds_ratio, test.p), f"{of[0]} / {of[1]}",
        str(len(found)), shown or "–", _reproduced(test, found), f"{by_chance(test, of):.0%}" if found else "–",
    )  # fmt: skip


def candidates(test: Printed, of: tuple[int, int]) -> list[Counts]:
    """What can be behind a printed cell: counts whose parts fit what is known of single models.

    With one model on the first side nothing is known, for it could be either of 8B.
    """
    found = feasible(test, of)
    if of[0] == QUESTIONS:
        return found
    if test.table == 4:
        ours, base = _known(test.criterion, SCRIBE), _known(test.criterion, BASE)
        found = [counts for counts in found if _holds(counts, 0, ours)]
        found = [counts for counts in found if test.compared != OVER_BASE or _holds(counts, 1, base)]
    if of[0] < ALL:
        return found
    against = next(each for each in TESTS if _part_of(test, each))
    parts = candidates(against, (EIGHT, ONE))
    return [counts for counts in found if any(_holds(counts, 0, (part.yes[0], EIGHT)) for part in parts)]


def _part_of(test: Printed, each: Printed) -> bool:
    """Whether this is the same table's test against the 70B, whose first side is a part of the same answers."""
    return (each.table, each.criterion, each.compared) == (test.table, test.criterion, OVER_70B)


def _holds(counts: Counts, side: int, part: tuple[int, int]) -> bool:
    """Whether a side can be this part (YES, of) and other answers besides."""
    yes, of = part
    return yes <= counts.yes[side] <= yes + counts.of[side] - of


def _known(criterion: str, model: str) -> tuple[int, int]:
    """YES and number of answers of a model without the web search, from Table 3."""
    row = next(row for row in TABLE_3 if row.model == model and not row.web_search)
    seen = _share(row, CRITERIA.index(criterion))
    return seen.yes, seen.of


def printed(test: Printed, odds_ratio: float, p: float) -> str:
    """An odds ratio and p with the decimals of that table's cell."""
    return f"{odds_ratio:.{test.digits[0]}f} ({p:.{test.digits[1]}f})"


def _reproduced(test: Printed, found: list[Counts]) -> str:
    if len(found) != 1:
        return "by several counts" if found else "no"
    (one, other), (first, second) = found[0].yes, found[0].of
    seen = fisher(Share(one, first), Share(other, second))
    return printed(test, seen.odds_ratio, seen.p)


def main() -> None:
    """Print both, and write them as JSON where asked."""
    parser = argparse.ArgumentParser(description="The paper's tables beside our functions' figures.")
    parser.add_argument("--json", type=Path, metavar="DIR", help="write table_3.json and tables_4_and_5.json there")
    folder = parser.parse_args().json
    for name, figure in (("table_3", table_3()), ("tables_4_and_5", tables_4_and_5())):
        figure.show(folder / f"{name}.json" if folder else None)
        print()


if __name__ == "__main__":
    main()
