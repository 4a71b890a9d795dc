"""When the bell rings."""

from datetime import date, datetime, time, timedelta

from school.breaks import break_after

START = time(8, 0)
"""When the first lesson begins."""
LONG, SHORT = 45, 35
"""Minutes of a lesson, ordinarily and on a short day."""
LESSONS = 6
"""The number of lessons on a weekday that has no number of its own."""


class BellPlan:
    """Holidays, as pairs of first and last day; numbers of lessons by weekday; days with short lessons."""

    def __init__(
        self,
        holidays: list[tuple[date, date]],
        lessons: dict[int, int],
        short_days: set[date],
    ) -> None:
        self.holidays = holidays
        self.lessons = lessons
        self.short_days = short_days

    def is_free(self, day: date) -> bool:
        """Whether a day belongs to a weekend or to holidays."""
        return day.weekday() >= 5 or any(first <= day <= last for first, last in self.holidays)

    def bells(self, day: date) -> list[time]:
        """The times at which the bell rings on a day, in order."""
        raise NotImplementedError
