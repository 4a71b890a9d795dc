"""The names of a course that an answer can get wrong, for the grounding check."""

from data.catalogue import Catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course
from scribe.grounding import Lexicon

SHORTEST = 4
WEB = "web_search"
"""The tool that says what is of no course; it is not imported here, since it brings an HTTP library."""


def make_lexicon(course: Course, catalogue: Catalogue) -> Lexicon:
    """Every feature with all its names, and the course's topics, in English too where the outline says so.

    In a French course a feature has its French and its English label: reports use the one and tools the other.
    Left out are names of one ordinary word: they turn up in sentences that name nothing.
    """
    told = {feature.name: feature for feature in catalogue_in(course.language)}
    features = tuple(
        tuple(dict.fromkeys(name for name in (f.label, f.name, f.code, *f.aliases) if _is_a_name(name)))
        for f in (told.get(each.name, each) for each in catalogue)
    )
    topics = tuple(_spellings(course, topic) for topic in course.topics)
    less = [each for each in catalogue if each.good == "less"]
    less_is_better = frozenset(label for each in less for label in (each.label, told.get(each.name, each).label))
    return Lexicon(features, topics, course.weeks, frozenset({WEB}), less_is_better)


def _spellings(course: Course, topic: str) -> tuple[str, ...]:
    english = course.english(topic)
    return (topic, english) if english else (topic,)


def _is_a_name(name: str) -> bool:
    return len(name) >= SHORTEST and not (name.isalpha() and (name.islower() or name.istitle()))
