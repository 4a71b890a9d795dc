"""A pill box and the plans of its owner."""

from dataclasses import dataclass
from datetime import date, timedelta

from pills.pharmacy import last_open_day

HORIZON = 60
"""How many days are looked at, today included."""
DELIVERY = 2
"""How many days after an order the pills arrive."""


@dataclass(frozen=True)
class Plan:
    """From `start` on, every `every` days, so many pills of a kind are taken."""

    pill: str
    start: date
    every: int
    number: int

    def is_due(self, day: date) -> bool:
        """Whether pills are taken on a day."""
        return day >= self.start and (day - self.start).days % self.every == 0


class PillBox:
    """How many pills of each kind there are, and how they are taken."""

    def __init__(self, stock: dict[str, int], plans: list[Plan]) -> None:
        self.stock = stock
        self.plans = plans

    def needed_on(self, day: date) -> dict[str, int]:
        """How many pills of each kind are taken on a day; several plans may take the same."""
        needed: dict[str, int] = {}
        for plan in self.plans:
            if plan.is_due(day):
                needed[plan.pill] = needed.get(plan.pill, 0) + plan.number
        return needed

    def order_day(self, today: date) -> date | None:
        """The day on which pills must be ordered, or None if the stock lasts for all days looked at."""
        raise NotImplementedError
