"""Tickets and what they cost."""

from datetime import date

from museum.guides import guide_fee

PRICES = {"child": 500, "adult": 1200, "senior": 900}
SMALLEST = 8
"""How many visitors make a group."""
PER_FREE_PLACE = 10
"""For so many visitors of a group there is one free place."""


class TooSmall(Exception):
    """So few visitors are no group."""


def category(age: int) -> str:
    """The category of `PRICES` to which a visitor belongs."""
    if age < 16:
        return "child"
    return "senior" if age >= 65 else "adult"


class Ticket:
    """The entry of visitors of certain ages."""

    def __init__(self, ages: list[int]) -> None:
        self.ages = list(ages)

    def price(self, day: date) -> int:
        """What the ticket costs on a day; on the first of a month entry is free."""
        if day.day == 1:
            return 0
        return sum(PRICES[category(age)] for age in self.ages)


class GroupTicket(Ticket):
    """The entry of a group, with guides or without."""

    def __init__(self, ages: list[int], guided: bool = False) -> None:
        super().__init__(ages)
        self.guided = guided

    def price(self, day: date) -> int:
        """What the group pays on a day; raise TooSmall if it is none."""
        raise NotImplementedError
