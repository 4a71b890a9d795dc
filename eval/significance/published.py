"""The paper's Tables 3 to 5 beside what our functions make of the counts: `python -m eval.significance.published`.

The counts of Tables 4 and 5 are printed nowhere. The program looks for counts that give both the printed odds ratio
and the printed p, for each way of pooling the models that the text allows.
"""

import argparse

from eval.significance.comparison import compare_shares
from eval.significance.feasible import (
    ALL,
    EIGHT,
    ONE,
    PooledCounts,
    estimate_chance,
    find_consistent_counts,
)
from eval.significance.paper import CRITERIA, OVER_BASE, QUESTIONS, TABLE_3, TESTS, PrintedRow, PrintedTest
from eval.significance.shares import Share
from eval.table import Table

POOLS = {True: ((ONE, ONE), (EIGHT, EIGHT), (ALL, ALL)), False: ((ONE, ONE), (EIGHT, ONE))}
"""Over the base: one model, the two of 8B, all three. Over the 70B: one model, or the two of 8B together."""


def make_table_3() -> Table:
    """Set the errors √(p(1 − p)/n) from the counts beside those printed, in percentage points."""
    cells = [(row, place) for row in TABLE_3 for place in range(len(CRITERIA))]
    apart = max(_distance(row, place) for row, place in cells if row.questions == QUESTIONS)
    few = max(_distance(row, place) for row, place in cells if row.questions != QUESTIONS)
    note = (
        f"Every percentage is a whole count of its n. The errors are reproduced to within {apart:.2f} points with "
        f"{QUESTIONS} questions and {few:.2f} with 27, not exactly: no formula can, since one percentage is printed "
        "with two errors (83.33 ± 2.71 and ± 2.80 of 192, 77.78 ± 7.60 and ± 7.70 of 27). Errors that differ so for "
        "the same count are drawn at random, as by a bootstrap; the paper does not say."
    )
    head = ("model", "web search", "criterion", "count", "printed", "error reproduced", "Wilson 95 %")
    rows = [_table_3_row(row, place) for row, place in cells]
    return Table("table_3", "Table 3: standard errors, in percentage points", head, rows, note=note)


def _distance(row: PrintedRow, place: int) -> float:
    return abs(row.cells[place][1] - row.error(place))


def _table_3_row(row: PrintedRow, place: int) -> tuple[str, ...]:
    percent, error = row.cells[place]
    share = row.share(place)
    interval = share.interval()
    is_whole = f"{100 * share.value:.2f}" == f"{percent:.2f}"
    return (
        row.model, "yes" if row.web_search else "no", CRITERIA[place],
        f"{share.yes}/{share.of}{'' if is_whole else ' (not whole)'}", f"{percent:.2f} ± {error:.2f}",
        f"{row.error(place):.2f}", f"{100 * interval.low:.1f} to {100 * interval.high:.1f}",
    )  # fmt: skip


def make_tables_4_and_5() -> Table:
    """List for each cell and pooling the counts that give what is printed."""
    note = (
        "Counts: how many pairs of counts round to both the printed odds ratio and the printed p (sample odds ratio, "
        "two-sided), and hold what is known of a part of them: ToolACE-8B from Table 3, the two models of 8B from the "
        "same table's test against the 70B.\n\n"
        "Over the base, one model's 192 questions reproduce no cell of either table, nor do two models; three together "
        "(576 answers a side) reproduce all. Against the 70B, two models together (384 answers against 192) reproduce "
        "all. by chance: how many of 40 made-up cells, with an odds ratio within 3 % and a p within 30 % of the "
        "printed, have counts too. In Table 4 few do, so the matches mean something: its tests pool models, which "
        "the paper does not say, and treat answers to the same question as independent, which they are not. Table 5 "
        "prints fewer decimals; there most made-up cells have counts, so it fits this reading and hardly supports it."
        "\n\n"
        "Where one pair of counts is left the cell is reproduced exactly, given that pooling; with several, the two or "
        "three printed decimals do not tell which. Which model has which share cannot be reproduced: Fig. 4 prints "
        "no numbers. Nor can the tests be repeated in pairs (McNemar), for want of the single verdicts."
    )
    head = ("table", "compared", "criterion", "printed", "answers", "counts", "percent YES", "reproduced", "by chance")
    rows = [_test_row(test, of) for test in TESTS for of in POOLS[test.compared == OVER_BASE]]
    return Table("tables_4_and_5", "Tables 4 and 5: Fisher's exact test", head, rows, note=note)


def _test_row(test: PrintedTest, of: tuple[int, int]) -> tuple[str | int, ...]:
    counts = find_consistent_counts(test, of)
    percents = "; ".join(each.percent for each in counts[:3]) + ("; …" if len(counts) > 3 else "")
    by_chance = f"{estimate_chance(test, of):.0%}" if counts else "–"
    return (
        test.table, test.compared, test.criterion, test.format(test.odds_ratio, test.p), f"{of[0]} / {of[1]}",
        len(counts), percents or "–", _reproduce(test, counts), by_chance,
    )  # fmt: skip


def _reproduce(test: PrintedTest, counts: list[PooledCounts]) -> str:
    if len(counts) != 1:
        return "by several counts" if counts else "no"
    one, other = (Share(yes, of) for yes, of in zip(counts[0].yes, counts[0].of, strict=True))
    again = compare_shares(one, other)
    return test.format(again.odds_ratio, again.p)


def main() -> None:
    """Print both."""
    argparse.ArgumentParser(description="The paper's tables beside our functions' figures.").parse_args()
    print(f"{make_table_3().markdown()}\n\n{make_tables_4_and_5().markdown()}")


if __name__ == "__main__":
    main()
