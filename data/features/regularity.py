"""Whether a student works at the same hours every day."""

import math

import polars as pl

ANGLE = pl.col("hour") * (2.0 * math.pi / 24.0)


def regularity(log: pl.LazyFrame) -> pl.LazyFrame:
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
    return by_hour.group_by("cell").agg(RegPeakTimeDayHour=_concentration() * pl.col("n").max()).join(rhythm, on="cell")


def _concentration() -> pl.Expr:
    """ln 24 - H, with H written as ln N - sum(n ln n) / N; rounding may not make it negative."""
    n, total = pl.col("n"), pl.col("n").sum()
    return (math.log(24.0) - total.log() + (n * n.log()).sum() / total).clip(lower_bound=0.0)
