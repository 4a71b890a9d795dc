"""When the pharmacy is open."""

from datetime import date, timedelta

CLOSED = {5, 6}
"""Weekdays, as in `date.weekday`, on which no orders are taken: Saturday and Sunday."""


def last_open_day(day: date) -> date:
    """The day itself if the pharmacy is open, else the last earlier one on which it is."""
    while day.weekday() in CLOSED:
        day -= timedelta(days=1)
    return day
