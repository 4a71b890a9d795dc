"""Shares of YES and how sure a difference between runs is, by scipy and statsmodels.

What it is not: a judge, a table or a picture. It takes counts and yes/no verdicts and gives numbers; what is missing
must be left out before, and counted by whoever leaves it out.
"""

from eval.significance.comparing import Fisher, McNemar, fisher, mcnemar
from eval.significance.holm import holm
from eval.significance.share import Interval, Share, share
from eval.significance.trend import Trend, paired_trend, trend

__all__ = [
    "Fisher",
    "Interval",
    "McNemar",
    "Share",
    "Trend",
    "fisher",
    "holm",
    "mcnemar",
    "paired_trend",
    "share",
    "trend",
]
