"""What the screen at the door shows."""

from dataclasses import dataclass

from buses.clock import to_minutes

WALK = 4
"""Minutes from the school's door to the stop."""
ROWS = 3
"""How many departures the screen can show."""


@dataclass(frozen=True)
class Departure:
    """A bus that leaves so many minutes after midnight."""

    minute: int
    bus: str


def next_buses(timetable: list[str], now: str, school_day: bool) -> list[Departure]:
    """The next departures that can be reached by who leaves the door `now`, a time such as `07:45`."""
    raise NotImplementedError
