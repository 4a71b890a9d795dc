"""What nights cost."""

from datetime import date

WEEKEND = {4, 5}
"""The weekdays, as in `date.weekday`, whose nights cost more: Friday and Saturday."""
SURCHARGE = 30
"""How much more they cost."""


def night_price(price: int, day: date) -> int:
    """The price of the night that begins on a day, in a room of such a price."""
    return price + SURCHARGE if day.weekday() in WEEKEND else price
