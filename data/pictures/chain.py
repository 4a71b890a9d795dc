"""What topics build on: directly, and through one another back to the beginning of the course."""

from collections.abc import Collection
from dataclasses import dataclass

from data.course import Course, Prerequisite


@dataclass(frozen=True, slots=True)
class Chain:
    """The topics asked about, those they need directly, and those that these need in turn; disjoint."""

    asked: frozenset[str]
    direct: frozenset[str]
    further: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every topic of the chain."""
        return self.asked | self.direct | self.further

    def holds(self, edge: Prerequisite) -> bool:
        """Whether this prerequisite is a link of the chain."""
        return edge.topic in self.all and edge.needs in self.all


def chain(course: Course, topics: Collection[str]) -> Chain:
    """The chain of some topics, spelled as in the course."""
    asked = frozenset(topics)
    direct = _needed(course, asked) - asked
    reached, new = asked | direct, direct
    while new:
        new = _needed(course, new) - reached
        reached |= new
    return Chain(asked, direct, reached - direct - asked)


def chain_of(course: Course, week: int | None = None, topic: str | None = None) -> Chain | None:
    """The chain of a week or of a topic, capitals ignored; None when neither is given.

    Raises BundleError for a week or a topic that the course does not have.
    """
    if topic is not None:
        taught = course.week(course.week_of(topic)).topics
        return chain(course, [each for each in taught if each.casefold() == topic.casefold()])
    return None if week is None else chain(course, course.week(week).topics)


def _needed(course: Course, topics: Collection[str]) -> frozenset[str]:
    return frozenset(edge.needs for edge in course.prerequisites if edge.topic in topics)
