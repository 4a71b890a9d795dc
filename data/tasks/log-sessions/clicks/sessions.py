"""From clicks to sessions."""

from dataclasses import dataclass, field

from clicks.reading import Click, parse_line

PAUSE = 30
"""Minutes without a click after which a session is over."""


@dataclass
class Session:
    """What one user looked at without a long pause."""

    user: str
    clicks: list[Click] = field(default_factory=list)

    @property
    def pages(self) -> list[str]:
        """The pages in the order of the clicks."""
        return [click.page for click in self.clicks]


def split_sessions(lines: list[str]) -> list[Session]:
    """The sessions that a log tells of, in the order in which they began."""
    raise NotImplementedError
