"""The table of a tournament."""

from dataclasses import dataclass

from league.scores import parse_match

WIN, DRAW, LOSS = 3, 1, 0
"""Points for one match."""


@dataclass
class Row:
    """What the table says of one team."""

    team: str
    points: int = 0
    scored: int = 0
    conceded: int = 0
    place: int = 0

    @property
    def difference(self) -> int:
        """Goals scored less goals conceded."""
        return self.scored - self.conceded

    def is_level_with(self, other: "Row") -> bool:
        """Whether nothing but the name separates two teams."""
        return (self.points, self.difference, self.scored) == (other.points, other.difference, other.scored)


def points_for(scored: int, conceded: int) -> int:
    """The points that a team gets for a match in which it scored and conceded so many goals."""
    if scored == conceded:
        return DRAW
    return WIN if scored > conceded else LOSS


def final_table(teams: list[str], lines: list[str]) -> list[Row]:
    """The rows of all teams, best first, with their places."""
    raise NotImplementedError
