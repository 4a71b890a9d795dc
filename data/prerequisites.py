"""What topics build on: directly, and through one another back to the beginning of the course."""

from collections.abc import Collection
from dataclasses import dataclass

from data.course import Course, Prerequisite


@dataclass(frozen=True, slots=True)
class PrerequisiteChain:
    """Some topics, those they need directly, and those that these need in turn; disjoint."""

    topics: frozenset[str]
    direct: frozenset[str]
    further: frozenset[str]

    def holds(self, edge: Prerequisite) -> bool:
        """Whether this prerequisite is a link of the chain."""
        members = self.topics | self.direct | self.further
        return edge.topic in members and edge.needs in members


def follow_prerequisites(course: Course, topics: Collection[str]) -> PrerequisiteChain:
    """The chain of some topics, spelled as in the course."""
    start = frozenset(topics)
    direct = _list_needs(course, start) - start
    reached, new = start | direct, direct
    while new:
        new = _list_needs(course, new) - reached
        reached |= new
    return PrerequisiteChain(start, direct, reached - direct - start)


def find_chain(course: Course, week: int | None = None, topic: str | None = None) -> PrerequisiteChain | None:
    """The chain of a week or of a topic, capitals ignored; None when neither is given.

    Raises BundleError for a week or a topic that the course does not have.
    """
    if topic is not None:
        taught = course.week(course.week_of(topic)).topics
        return follow_prerequisites(course, [each for each in taught if each.casefold() == topic.casefold()])
    return None if week is None else follow_prerequisites(course, course.week(week).topics)


def _list_needs(course: Course, topics: Collection[str]) -> frozenset[str]:
    return frozenset(edge.needs for edge in course.prerequisites if edge.topic in topics)
