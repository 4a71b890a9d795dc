"""The meter at the exit."""

from dataclasses import dataclass
from datetime import datetime

from parking.steps import count_begun

DAY = 24 * 60
"""Minutes of a day."""
GRACE = 10
"""Minutes that cost nothing if the car leaves within them."""
DAY_PRICE = 1500
"""The price of 24 hours, and the most that a part of them costs."""


@dataclass(frozen=True)
class Band:
    """From minute `begin` to minute `end` of a stay, each `step` minutes that have begun cost `price`."""

    begin: int
    end: int
    step: int
    price: int


BANDS = (Band(0, 120, 30, 105), Band(120, DAY, 60, 150))


class Meter:
    """Knows the plates of residents."""

    def __init__(self, residents: list[str]) -> None:
        self._residents = {self._spell(plate) for plate in residents}

    @staticmethod
    def _spell(plate: str) -> str:
        return plate.replace(" ", "").replace("-", "").upper()

    def is_resident(self, plate: str) -> bool:
        """Whether a plate is a resident's; blanks, hyphens and small letters do not matter."""
        return self._spell(plate) in self._residents

    def fee(self, plate: str, arrival: datetime, departure: datetime) -> int:
        """What a car pays for its stay; raise ValueError if it left before it came."""
        raise NotImplementedError
