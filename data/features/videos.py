"""What a student does with videos: how they play, how they are steered, which are left early."""

import polars as pl

from data.events.schema import Kind
from data.features.timeline import IS_NOW, IS_VIDEO, KIND, LONGEST, SHORTEST, SPENT, Timeline, seconds, tabulate_items

HALTS = (Kind.VIDEO_PAUSE, Kind.VIDEO_STOP, Kind.VIDEO_LOAD)
SLOWEST, FASTEST = 0.1, 16.0
FURTHEST_JUMP = 24 * 3600.0
AT_THE_END = 60.0


def trace_playback(log: pl.LazyFrame) -> pl.LazyFrame:
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
    # One absurd jump would take the precision from everybody's positions after it.
    length = pl.col("value").clip(-FURTHEST_JUMP, FURTHEST_JUMP)
    jumped = pl.when(KIND == Kind.VIDEO_SEEK).then(length).fill_null(0.0)
    moved = jumped + pl.when(pl.col("playing")).then(pl.col("until") * pl.col("rate")).fill_null(0.0)
    # One running sum over the whole log, from which each visit subtracts what it began with.
    total = moved.cum_sum()
    before = pl.when(pl.col("is_new_visit")).then(total - moved).forward_fill()
    return states.with_columns(reached=total - before).drop("is_new_visit")


def measure_steering(films: pl.LazyFrame) -> pl.LazyFrame:
    """Jumps, pauses and speed from what `trace_playback` gives; all null without the like (Lallé & Conati 2020).

    The published code writes 0 for a mean or a deviation over no pause and no speeding-up; here there is
    no value. Deviations are those of a population: 0 for one pause or jump. Time in seconds.

    FrequencyEventVideo (events per second): video events / time played, which is the time spent (gaps of
    1..3600 s to the next event of any kind) from events that leave a video playing, jumps and changes
    of speed while it plays included. Null if nothing was played.
    AvgSeekLength, StdSeekLength: of |seconds of video jumped|, over the jumps of known length.
    AvgPauseDuration, StdPauseDuration: of the time from a pause to the next video event, if that is on the
    same video (whatever else happens between) and 1..3600 s later; longer ones are left out.
    AvgTimeSpeedingUp, StdTimeSpeedingUp: of the time spent from video events (any, pauses too, as
    published) after which the chosen speed is above 1. A speed holds for all videos to the end of the week.
    """
    jump = pl.when(KIND == Kind.VIDEO_SEEK).then(pl.col("value").abs())
    is_pause = (KIND == Kind.VIDEO_PAUSE) & pl.col("stays") & pl.col("until").is_between(SHORTEST, LONGEST)
    pause = pl.when(is_pause).then(pl.col("until"))
    fast = pl.when(pl.col("rate") > 1.0).then(pl.col("spent"))
    played = pl.when(pl.col("playing")).then(pl.col("spent")).sum()
    return films.group_by("cell").agg(
        FrequencyEventVideo=pl.when(played > 0).then(pl.len() / played),
        AvgSeekLength=jump.mean(),
        StdSeekLength=jump.std(ddof=0),
        AvgPauseDuration=pause.mean(),
        StdPauseDuration=pause.std(ddof=0),
        AvgTimeSpeedingUp=fast.mean(),
        StdTimeSpeedingUp=fast.std(ddof=0),
    )


def count_interrupted(films: pl.LazyFrame, line: Timeline) -> pl.LazyFrame:
    """Per cell how many of the week's videos were left at least once more than 60 s before the end.

    A video is left when the next video event is on another video, or when a pause, a stop or a load is followed for
    more than an hour, or for the rest of the week, by no video event. The log holds no position, so that is `reached`
    of `trace_playback`, which takes each visit to begin at 0.
    """
    goes_elsewhere = pl.col("until").is_not_null() & pl.col("stays").not_()
    breaks_off = KIND.is_in(HALTS) & (pl.col("until") > LONGEST).fill_null(True)
    return (
        films.filter(goes_elsewhere | breaks_off)
        .join(tabulate_items(line.schedule).lazy(), on="item")
        .with_columns(week=line.week())
        .filter(IS_NOW & (pl.col("reached") < pl.col("length") - AT_THE_END))
        .group_by("cell", "item")
        .agg()
        .group_by("cell")
        .agg(interrupted=pl.len())
    )
