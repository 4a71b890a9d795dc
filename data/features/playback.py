"""What the player was doing: the state of a video between one video event and the next."""

import polars as pl

from data.events.schema import Kind
from data.features.timeline import IS_VIDEO, KIND, SPENT, seconds

HALTS = (Kind.VIDEO_PAUSE, Kind.VIDEO_STOP, Kind.VIDEO_LOAD)
SLOWEST, FASTEST = 0.1, 16.0
FURTHEST_JUMP = 24 * 3600.0


def playback(log: pl.LazyFrame) -> pl.LazyFrame:
    """The video events alone, in order, with what held from each to the cell's next video event.

    A visit is a run of events on one video with no other video in between. Columns beside cell, item, kind
    and value: `until` (seconds to the next video event, null at the cell's last), `stays` (that one is on
    the same video), `spent` (see SPENT), `playing` (played and not paused, stopped or loaded since, in
    this visit), `rate` (the last one chosen in the cell, 1 before that), `reached` (position at the
    next video event in seconds of video, if the visit began at 0: jumps and time played at its rate).
    """
    is_new_cell = (pl.col("cell") != pl.col("cell").shift(1)).fill_null(True)
    is_new_visit = is_new_cell | (pl.col("object") != pl.col("object").shift(1))
    is_last = is_new_cell.shift(-1, fill_value=True)
    rate = pl.when((KIND == Kind.VIDEO_SPEED) & (pl.col("value") > 0)).then(pl.col("value"))
    playing = pl.when(KIND == Kind.VIDEO_PLAY).then(True)
    states = log.filter(IS_VIDEO).select(
        "cell",
        "item",
        "kind",
        "value",
        until=pl.when(~is_last).then(seconds(pl.col("time").shift(-1) - pl.col("time"))),
        stays=~is_new_visit.shift(-1, fill_value=True),
        spent=SPENT,
        playing=playing.when(is_new_visit | KIND.is_in(HALTS)).then(False).forward_fill(),
        rate=rate.when(is_new_cell).then(1.0).forward_fill().clip(SLOWEST, FASTEST),
        is_new_visit=is_new_visit,
    )
    moved = _jumped() + pl.when(pl.col("playing")).then(pl.col("until") * pl.col("rate")).fill_null(0.0)
    # One running sum over the whole log, from which each visit subtracts what it began with.
    total = moved.cum_sum()
    before = pl.when(pl.col("is_new_visit")).then(total - moved).forward_fill()
    return states.with_columns(reached=total - before).drop("is_new_visit")


def _jumped() -> pl.Expr:
    # One absurd jump would take the precision from everybody's positions after it.
    length = pl.col("value").clip(-FURTHEST_JUMP, FURTHEST_JUMP)
    return pl.when(KIND == Kind.VIDEO_SEEK).then(length).fill_null(0.0)
