"""How a student steers the videos: jumps, pauses, speed."""

import polars as pl

from data.events.schema import Kind
from data.features.timeline import KIND, LONGEST, SHORTEST


def video(films: pl.LazyFrame) -> pl.LazyFrame:
    """Jumps, pauses and speed from what `playback` gives; all null without the like (Lallé & Conati 2020).

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
