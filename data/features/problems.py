"""How well, in how many attempts and how fast a student solves problems."""

import polars as pl

from data.events.schema import Kind
from data.features.timeline import KIND, LONGEST, SHORTEST, seconds

FULL_MARKS = 1.0 - 1e-9


def problems(log: pl.LazyFrame) -> pl.LazyFrame:
    """Marks and attempts at the problems tried in that week, whichever week plans them (Marras et al. 2021).

    Attempts before that week do not count, so the first attempt is the first of the week.

    CompetencyStrength (0..1): mean over the problems of (best mark / full marks) / attempts.
    StudentShape (0..1): share of the problems with full marks at the first attempt.
    Both look at problems with a mark in that week, and are null without one; attempts without a mark
    count as attempts, and an unmarked first attempt is one without full marks.
    StudentSpeed (seconds): mean over the problems of the sum of the gaps between consecutive attempts; gaps
    outside 1..3600 s are left out, and with them problems that have no other; null without one.
    """
    marked = pl.col("best").is_not_null()
    return (
        _tried(log)
        .group_by("cell")
        .agg(
            CompetencyStrength=(pl.col("best") / pl.col("attempts")).mean(),
            StudentShape=pl.when(marked).then(pl.col("at_first")).mean(),
            StudentSpeed=pl.col("retrying").mean(),
        )
    )


def _tried(log: pl.LazyFrame) -> pl.LazyFrame:
    """One row per cell and problem: best, attempts, at_first (full marks), retrying (seconds, or null)."""
    # A stable sort keeps the attempts at one problem in the order of the timeline.
    attempts = log.filter(KIND == Kind.PROBLEM_CHECK).sort("cell", "object", maintain_order=True)
    again = (pl.col("cell") == pl.col("cell").shift(1)) & (pl.col("object") == pl.col("object").shift(1))
    since = pl.when(again).then(seconds(pl.col("time") - pl.col("time").shift(1)))
    told = attempts.select("cell", "object", "value", is_first=again.not_().fill_null(True), since=since)
    spent = pl.when(pl.col("since").is_between(SHORTEST, LONGEST)).then(pl.col("since")).sum()
    return told.group_by("cell", "object").agg(
        best=pl.col("value").max(),
        attempts=pl.len(),
        at_first=(pl.col("is_first") & (pl.col("value") >= FULL_MARKS)).any(),
        retrying=pl.when(spent > 0).then(spent),
    )
