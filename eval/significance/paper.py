"""The figures of Tables 3, 4 and 5 as the SCRIBE paper (Fawzi et al.) prints them. Nothing is computed here.

In our copy of the paper the merged cells of Table 3 are lost: that its third row has the web search and the fourth
and fifth have none, we take from section 4.4 (with the search the model with SCRIBE has the higher tool relevance,
and both lose against their runs without it).
"""

from dataclasses import dataclass

from eval.significance.shares import Share

CRITERIA = ("relevance", "actionability", "tool relevance", "correctness")
QUESTIONS = 192
BASE, SCRIBE = "ToolACE-8B", "ToolACE-8B SCRIBE"


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of Table 3. cells: percent YES and what is printed behind the ±, in the order of CRITERIA."""

    model: str
    web_search: bool
    questions: int
    cells: tuple[tuple[float, float], ...]

    def share(self, place: int) -> Share:
        """The whole count that a percentage is of."""
        return Share(round(self.cells[place][0] / 100 * self.questions), self.questions)

    def error(self, place: int) -> float:
        """The standard error √(p(1 − p)/n) from the counts, in percentage points."""
        return 100 * self.share(place).error


@dataclass(frozen=True, slots=True)
class PrintedTest:
    """A cell of Table 4 or 5. digits: how many decimals of the odds ratio and of p are printed."""

    table: int
    compared: str
    criterion: str
    odds_ratio: float
    p: float
    digits: tuple[int, int]

    def format(self, odds_ratio: float, p: float) -> str:
        """An odds ratio and p with the decimals of this cell."""
        return f"{odds_ratio:.{self.digits[0]}f} ({p:.{self.digits[1]}f})"


TABLE_3 = (
    PrintedRow(SCRIBE, True, 27, ((85.19, 6.95), (92.59, 5.07), (77.78, 7.60), (77.78, 7.70))),
    PrintedRow(BASE, True, QUESTIONS, ((81.25, 2.80), (73.44, 3.20), (64.58, 3.39), (76.04, 2.90))),
    PrintedRow(SCRIBE, True, QUESTIONS, ((83.33, 2.71), (72.40, 3.27), (73.96, 3.24), (76.56, 2.95))),
    PrintedRow(BASE, False, QUESTIONS, ((83.33, 2.80), (70.83, 3.31), (64.06, 3.52), (81.77, 2.81))),
    PrintedRow(SCRIBE, False, QUESTIONS, ((91.67, 1.88), (84.90, 2.57), (67.71, 3.45), (82.81, 2.76))),
)

OVER_BASE, OVER_70B = "SCRIBE over base", "8B SCRIBE over 70B"

_PRINTED = (
    (4, OVER_BASE, (("1.492", "0.0103"), ("1.684", "0.00018"), ("1.445", "0.00364"), ("1.111", "0.5139"))),
    (4, OVER_70B, (("1.395", "0.1917"), ("1.775", "0.0081"), ("0.516", "0.0023"), ("0.742", "0.3048"))),
    (5, OVER_BASE, (("1.54", "0.0027"), ("1.53", "0.0010"), ("1.48", "0.0016"), ("1.14", "0.35"))),
    (5, OVER_70B, (("1.06", "0.81"), ("0.67", "0.09"), ("0.40", "0.0001"), ("0.39", "0.0022"))),
)

TESTS = tuple(
    PrintedTest(table, compared, criterion, float(ratio), float(p), (_decimals, len(p.partition(".")[2])))
    for table, compared, cells in _PRINTED
    for criterion, (ratio, p) in zip(CRITERIA, cells, strict=True)
    for _decimals in (len(ratio.partition(".")[2]),)
)
