"""When the alarm goes on and off."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sensors.readings import Reading, is_valid

CONFIRM = 2
"""How many warm readings in a row it takes to believe them."""


@dataclass(frozen=True)
class Limits:
    """Degrees: at `high` and above it is too warm, below `low` all is well again."""

    high: float
    low: float

    def check(self) -> None:
        """Raise ValueError unless the lower limit is below the upper one."""
        if not self.low < self.high:
            raise ValueError(f"{self.low} is not below {self.high}")


@dataclass(frozen=True)
class Event:
    """The alarm has just gone on, or off."""

    minute: int
    on: bool


def watch(readings: Iterable[Reading], limits: Limits) -> Iterator[Event]:
    """Yield an event each time the alarm changes; raise ValueError if the limits make no sense."""
    raise NotImplementedError
