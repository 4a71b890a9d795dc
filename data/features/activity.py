"""What a student does in a week: clicks, sessions, rhythm, problems."""

import math

import polars as pl

from data.events.schema import Kind
from data.features.timeline import IS_PROBLEM, IS_VIDEO, KIND, LONGEST, SHORTEST, SPENT, Timeline, seconds

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
FEWEST_EVENTS = 3
LONGEST_BREAK = 3600.0
ANGLE = pl.col("hour") * (2.0 * math.pi / 24.0)
FULL_MARKS = 1.0 - 1e-9


def measure_clicks(log: pl.LazyFrame) -> pl.LazyFrame:
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


def measure_shares(log: pl.LazyFrame) -> pl.LazyFrame:
    """FrequencyEvent…: events of one kind / all events of the week; null without any (Lallé & Conati 2020).

    A fraction, 0..1, whatever "frequency" may suggest. A seek of unknown or no length has no direction.
    FrequencyEventVideo is of another sort: see `videos.measure_steering`.
    """
    return log.group_by("cell").agg(is_it.fill_null(False).mean().alias(name) for name, is_it in SHARES.items())


def measure_sessions(line: Timeline) -> pl.LazyFrame:
    """Count, length and evenness of a week's sessions (Chen & Cui 2020).

    A session is a run of at least 3 events with no gap longer than the longest item the week plans (in a
    week that plans none, the longest of the course; in a course without items, an hour). It ends with
    its last event, and with the week. All times in seconds:

    NumberOfSessions (sessions): 0 without one.
    TotalTimeSessions: sum of (last - first event); 0 without a session.
    AvgTimeSessions, StdTimeSessions: mean and standard deviation of the same; null without a session,
    where the published code writes 0. The deviation is that of a population, so it is 0 for one session.
    StdTimeBetweenSessions: deviation of (first event - last event of the session before); null with
    fewer than three sessions: one gap differs from none, which is no evenness.
    """
    is_same = pl.col("cell") == pl.col("cell").shift(1)
    runs = _find_sessions(line).with_columns(
        length=seconds(pl.col("end") - pl.col("start")),
        between=pl.when(is_same).then(seconds(pl.col("start") - pl.col("end").shift(1))),
    )
    return runs.group_by("cell").agg(
        NumberOfSessions=pl.len(),
        TotalTimeSessions=pl.col("length").sum(),
        AvgTimeSessions=pl.col("length").mean(),
        StdTimeSessions=pl.col("length").std(ddof=0),
        StdTimeBetweenSessions=pl.when(pl.col("between").count() > 1).then(pl.col("between").std(ddof=0)),
    )


def _find_sessions(line: Timeline) -> pl.LazyFrame:
    """One row per session in order: cell, start, end."""
    # The gap to the next event is null at the end of a cell, where no session goes on.
    begins = (pl.col("gap") > _longest_gap(line)).fill_null(True).shift(1, fill_value=True)
    return (
        line.log.lazy()
        .select("cell", "time", session=begins.cum_sum())
        .group_by("session")
        .agg(pl.col("cell").first(), start=pl.col("time").min(), end=pl.col("time").max(), events=pl.len())
        .filter(pl.col("events") >= FEWEST_EVENTS)
        .sort("session")
    )


def _longest_gap(line: Timeline) -> pl.Expr:
    items = line.schedule.items
    whole = max((item.minutes * 60.0 for item in items), default=LONGEST_BREAK)
    weeks = range(1, line.schedule.weeks + 1)
    limits = [max((item.minutes * 60.0 for item in items if item.week == week), default=whole) for week in weeks]
    return line.week().replace_strict(list(weeks), limits, return_dtype=pl.Float64)


def measure_regularity(log: pl.LazyFrame) -> pl.LazyFrame:
    """The rhythm of the hours, from the events' local hours; null without an event (Boroujeni et al. 2016).

    RegPeakTimeDayHour (nats x events): (ln 24 - H) * max(n), with n_h the events in hour h of the day,
    summed over the days, and H = -sum(p_h ln p_h), p_h = n_h / sum(n). It grows with activity.
    RegPeriodicityDayHour (a magnitude, as many hours as keep step; `m1` there): |sum(exp(2i pi h / 24))|
    over the hours h of the week in which there is an event, however many there are.
    """
    # 168 hours a week at most are left of all events, so what follows costs little.
    hours = log.group_by("cell", "hour").agg(n=pl.len())
    rhythm = hours.group_by("cell").agg(
        RegPeriodicityDayHour=(ANGLE.cos().sum().pow(2) + ANGLE.sin().sum().pow(2)).sqrt()
    )
    by_hour = hours.group_by("cell", pl.col("hour") % 24).agg(pl.col("n").sum().cast(pl.Float64))
    # ln 24 - H, with H written as ln N - sum(n ln n) / N; rounding may not make it negative.
    n, total = pl.col("n"), pl.col("n").sum()
    even = math.log(24.0) - total.log() + (n * n.log()).sum() / total
    return by_hour.group_by("cell").agg(RegPeakTimeDayHour=even.clip(lower_bound=0.0) * n.max()).join(rhythm, on="cell")


def measure_problems(log: pl.LazyFrame) -> pl.LazyFrame:
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
        _summarize_attempts(log)
        .group_by("cell")
        .agg(
            CompetencyStrength=(pl.col("best") / pl.col("attempts")).mean(),
            StudentShape=pl.when(marked).then(pl.col("at_first")).mean(),
            StudentSpeed=pl.col("retrying").mean(),
        )
    )


def _summarize_attempts(log: pl.LazyFrame) -> pl.LazyFrame:
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
