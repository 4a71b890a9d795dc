"""How much a student did, and how much time it took."""

import polars as pl

from data.events.schema import Kind
from data.features.timeline import IS_PROBLEM, IS_VIDEO, KIND, SPENT

IS_WEEKDAY = pl.col("hour") < 5 * 24
SHARES = {
    "FrequencyEventLoad": KIND == Kind.VIDEO_LOAD,
    "FrequencyEventPlay": KIND == Kind.VIDEO_PLAY,
    "FrequencyEventPause": KIND == Kind.VIDEO_PAUSE,
    "FrequencyEventStop": KIND == Kind.VIDEO_STOP,
    "FrequencyEventSeekBackward": (KIND == Kind.VIDEO_SEEK) & (pl.col("value") < 0),
    "FrequencyEventSeekForward": (KIND == Kind.VIDEO_SEEK) & (pl.col("value") > 0),
    "FrequencyEventSpeedChange": KIND == Kind.VIDEO_SPEED,
}


def clicks(log: pl.LazyFrame) -> pl.LazyFrame:
    """Counts and times; 0 where nothing of the kind was done (Chen & Cui 2020).

    TotalClicks, TotalClicksVideo, TotalClicksProblem (events): all, those on videos, on problems.
    TotalClicksWeekday, TotalClicksWeekend (events): Monday to Friday; Saturday and Sunday, local.
    RatioClicksWeekendDay: weekday / weekend clicks, as published against its name; null without the latter.
    TotalTimeVideo, TotalTimeProblem (seconds): sum of the gaps from an event on a video (a problem) to the
    student's next event of any kind in that week. A gap outside 1..3600 s is left out, not shortened.
    TotalClicksVideoLoad (events): videos opened, again included (Lallé & Conati 2020).
    """
    counts = log.group_by("cell").agg(
        TotalClicks=pl.len(),
        TotalClicksWeekday=IS_WEEKDAY.sum(),
        TotalClicksWeekend=IS_WEEKDAY.not_().sum(),
        TotalClicksVideo=IS_VIDEO.sum(),
        TotalClicksProblem=IS_PROBLEM.sum(),
        TotalTimeVideo=pl.when(IS_VIDEO).then(SPENT).sum(),
        TotalTimeProblem=pl.when(IS_PROBLEM).then(SPENT).sum(),
        TotalClicksVideoLoad=(KIND == Kind.VIDEO_LOAD).sum(),
    )
    weekend = pl.col("TotalClicksWeekend")
    ratio = pl.when(weekend > 0).then(pl.col("TotalClicksWeekday") / weekend)
    return counts.with_columns(RatioClicksWeekendDay=ratio)


def shares(log: pl.LazyFrame) -> pl.LazyFrame:
    """FrequencyEvent…: events of one kind / all events of the week; null without any (Lallé & Conati 2020).

    A fraction, 0..1, whatever "frequency" may suggest. A seek of unknown or no length has no direction.
    FrequencyEventVideo is of another sort: see `video`.
    """
    return log.group_by("cell").agg(is_it.fill_null(False).mean().alias(name) for name, is_it in SHARES.items())
