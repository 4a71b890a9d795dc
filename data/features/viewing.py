"""What a student does with the videos of the week: watched, replayed, interrupted."""

import polars as pl

from data.features.alignment import IS_NOW, IS_VIDEO_ITEM, share
from data.features.material import items_of, offered
from data.features.playback import HALTS
from data.features.timeline import KIND, LONGEST, Timeline

AT_THE_END = 60.0


def viewing(touches: pl.LazyFrame, films: pl.LazyFrame, line: Timeline) -> pl.LazyFrame:
    """Shares of the week's videos, also in weeks without any event: 0 then (Lallé & Conati 2020).

    Fractions, 0..1; null in a week without videos.

    AvgWatchedWeeklyProp: touched in that week, which is also ContentAlignment.
    AvgReplayedWeeklyProp: touched on two dates or more of that week.
    AvgInterruptedWeeklyProp: left at least once more than 60 s before the end. A video is left when the
    next video event is on another video, or when a pause, a stop or a load is followed for more than
    an hour, or for the rest of the week, by no video event. The log holds no position, so that is
    `reached` of `playback`, which takes each visit to begin at 0.
    Std…: the deviation over the weeks looked at, and this is one: 0.
    """
    is_now = IS_VIDEO_ITEM & IS_NOW
    counts = touches.group_by("cell").agg(
        watched=is_now.sum(),
        replayed=(is_now & (pl.col("days") > 0)).sum(),
    )
    shares = {
        "Watched": share("watched", "videos"),
        "Replayed": share("replayed", "videos"),
        "Interrupted": share("interrupted", "videos"),
    }
    return (
        line.cells.lazy()
        .join(offered(line.schedule).lazy(), on="week")
        .join(counts, on="cell", how="left")
        .join(_interrupted(films, line), on="cell", how="left")
        .select(
            "cell",
            *(value.alias(f"Avg{name}WeeklyProp") for name, value in shares.items()),
            *((value * 0.0).alias(f"Std{name}WeeklyProp") for name, value in shares.items()),
        )
    )


def _interrupted(films: pl.LazyFrame, line: Timeline) -> pl.LazyFrame:
    """Per cell how many of the week's videos were left early."""
    goes_elsewhere = pl.col("until").is_not_null() & pl.col("stays").not_()
    breaks_off = KIND.is_in(HALTS) & (pl.col("until") > LONGEST).fill_null(True)
    return (
        films.filter(goes_elsewhere | breaks_off)
        .join(items_of(line.schedule).lazy(), on="item")
        .with_columns(week=line.week())
        .filter(IS_NOW & (pl.col("reached") < pl.col("length") - AT_THE_END))
        .group_by("cell", "item")
        .agg()
        .group_by("cell")
        .agg(interrupted=pl.len())
    )
