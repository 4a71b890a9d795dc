"""From lines to clicks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Click:
    """One user's click on one page."""

    minute: int
    user: str
    page: str


def parse_line(line: str) -> Click | None:
    """The click that a line such as `17;ada;/home` tells of; None if the line cannot be read."""
    parts = line.strip().split(";")
    if len(parts) != 3 or not parts[0].isdigit():
        return None
    return Click(int(parts[0]), parts[1], parts[2])
