"""On which days the library is open."""

from datetime import date, timedelta

CLOSED_WEEKDAYS = {6}
"""Numbers of weekdays as in `date.weekday`: 6 is Sunday."""


def is_open(day: date) -> bool:
    """Whether the library is open on a day."""
    return day.weekday() not in CLOSED_WEEKDAYS


def next_open_day(day: date) -> date:
    """The day itself if the library is open, else the first later day on which it is."""
    while not is_open(day):
        day += timedelta(days=1)
    return day
