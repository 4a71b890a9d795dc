"""The names of a course that the check compares an answer with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names that an answer can get wrong: each feature and each topic with all its names.

    weeks: how many the course has.
    outside: tools that tell of the world and not of the course; the weeks that they name are not the course's.
    less_is_better: names of features of which a small value is the good one.
    """

    features: tuple[tuple[str, ...], ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    weeks: int = 0
    outside: frozenset[str] = frozenset()
    less_is_better: frozenset[str] = frozenset()
