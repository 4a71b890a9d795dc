"""What a figure can be of: a behaviour, a piece of graded work, a part of the grade; told apart by their concepts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scribe.grounding.words import concepts_of, fold, weigh

Kind = Literal["behaviour", "work", "weight", "grade", "reach"]
_NEAR = 0.7
"""A subject this much below the best is meant as well as the best."""
_ENOUGH = 0.9


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


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that has figures. kind: a behaviour's value, points of work, the weight of work, a part of the grade, or
    for how many students something counts."""

    name: str
    kind: Kind
    concepts: frozenset[str]


class Subjects:
    """The behaviours of a lexicon, found by any of their names, and other subjects as sources name them."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._by_name: dict[str, Subject] = {}
        self.less_is_better = frozenset(fold(name) for name in lexicon.less_is_better)
        for names in lexicon.features:
            spelled = [name for name in names if " " in name] or list(names[:1])
            found = Subject(spelled[0], "behaviour", frozenset().union(*map(concepts_of, spelled[:2])))
            self._by_name |= {fold(name): found for name in names}

    @property
    def behaviours(self) -> tuple[Subject, ...]:
        """Each behaviour of the lexicon once."""
        return tuple(dict.fromkeys(self._by_name.values()))

    def behaviour(self, name: str) -> Subject:
        """The behaviour of this name, known to the lexicon or not."""
        return self._by_name.get(fold(name)) or Subject(name, "behaviour", concepts_of(name))

    def wants_less(self, subject: Subject) -> bool:
        """Whether a small value of the behaviour is the good one."""
        return fold(subject.name) in self.less_is_better


def choose(subjects: Iterable[Subject], local: frozenset[str], around: frozenset[str]) -> tuple[Subject, ...]:
    """The subjects that words are most likely about, or none: by what they share, less what either names besides.

    local: the concepts beside the figure. around: those of its sentence.
    """
    scored: dict[Subject, float] = {}
    for each in subjects:
        own = each.concepts
        shared = weigh(own & local) + 0.6 * weigh((own & around) - local)
        scored[each] = shared - 0.6 * weigh(own - around - local) - 0.2 * weigh(local - own)
    best = max(scored.values(), default=0.0)
    return tuple(each for each, points in scored.items() if points >= best - _NEAR) if best >= _ENOUGH else ()
