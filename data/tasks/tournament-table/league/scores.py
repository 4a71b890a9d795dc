"""Results of matches."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    """One match that has been played."""

    home: str
    guest: str
    home_goals: int
    guest_goals: int


def parse_match(line: str) -> Match:
    """The match that a line such as `Lynx - Owls 3:1` tells of."""
    teams, _, goals = line.strip().rpartition(" ")
    home, guest = teams.split(" - ")
    home_goals, guest_goals = goals.split(":")
    return Match(home.strip(), guest.strip(), int(home_goals), int(guest_goals))
