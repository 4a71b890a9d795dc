"""What the answers say together."""

from dataclasses import dataclass

from survey.answers import parse_answer


@dataclass(frozen=True)
class Summary:
    """How many marks were given and how many are missing, and what the given ones say."""

    given: int
    missing: int
    mean: float | None
    median: float | None
    modes: list[int]


def count_values(values: list[int]) -> dict[int, int]:
    """How often each value occurs, the values in the order in which they occur first."""
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


def summarise(texts: list[str]) -> Summary:
    """What the written answers say together."""
    raise NotImplementedError
