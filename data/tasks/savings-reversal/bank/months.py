"""Ends of months."""

from datetime import date, timedelta


def next_month(day: date) -> date:
    """The first day of the month after."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def end_of_next_month(day: date) -> date:
    """The last day of the month after that of a day."""
    return next_month(next_month(day)) - timedelta(days=1)
