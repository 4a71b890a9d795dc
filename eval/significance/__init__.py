"""Shares of YES and how sure a difference between runs is, by scipy and statsmodels.

It is no judge, table or picture: it takes counts and yes/no verdicts and gives numbers. Callers leave out what is
missing, and count it.
"""

from eval.significance.comparison import (
    FisherTest,
    McNemarTest,
    Trend,
    adjust_holm,
    compare_pairs,
    compare_shares,
    measure_trend,
)
from eval.significance.shares import Interval, Share, count_share

__all__ = [
    "FisherTest",
    "Interval",
    "McNemarTest",
    "Share",
    "Trend",
    "adjust_holm",
    "compare_pairs",
    "compare_shares",
    "count_share",
    "measure_trend",
]
