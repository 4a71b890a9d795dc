"""From lines to measurements."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Reading:
    """When the station measured and what; `None` if the sensor failed."""

    time: datetime
    celsius: float | None


def parse_line(line: str) -> Reading:
    """The measurement of a line such as `2025-01-31 14:00 -3.5`, or `2025-01-31 14:00 --` if the sensor failed."""
    day, clock, celsius = line.split()
    time = datetime.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M")
    return Reading(time, None if celsius == "--" else float(celsius))
