"""The language in which to answer: the course's, or English for a question that is asked in it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from data.catalogue import load_catalogue
from tools.reading.known_questions import READ, known
from tools.search.words import ENGLISH, Words

SURE = 0.7
"""How much likelier (natural logarithm) a question must be in English than in the course's language."""
CLIPPED = 4.0
"""What one word counts at most: a single "pls" makes no question English."""
# English words of campus French, and those of reports, which are English everywhere.
_BORROWED = frozenset(
    ("week", "feedback", "exam", "outlook", "report", "quiz", "ok", "okay", "test", "deadline", "event", "contrast")
)
_QUOTED = re.compile(r"[\"“«][^\"“”«»]*[\"”»]")


def language(question: str, of_course: str, before: Sequence[str] = ()) -> str:
    """The code of the language to answer in: `of_course` unless the question is plainly English.

    Words are weighed by how often the known wordings of each language hold them, as naive Bayes does; titles and terms
    of a course stand in few wordings and weigh little: who asks in English names them in the course's language too.
    What is quoted does not count, nor the name of a behaviour, as reports are English. `before`: earlier questions of
    the conversation, of which the last decides where this one is too short to tell.
    """
    if of_course == ENGLISH or of_course not in READ:
        return of_course
    for asked in (question, *reversed(before)):
        score = _weighed(asked, of_course)
        if abs(score) > SURE:
            return ENGLISH if score > 0 else of_course
    return of_course


def _weighed(question: str, other: str) -> float:
    """How much likelier the question is in English."""
    rest = _labels().sub(" ", _QUOTED.sub(" ", question))
    return sum(_weights(other).get(word, 0.0) for word in Words(ENGLISH).of(rest) if word not in _BORROWED)


@cache
def _labels() -> re.Pattern[str]:
    """The English names of behaviours."""
    names = sorted((feature.label for feature in load_catalogue()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)), re.IGNORECASE)


@cache
def _weights(other: str) -> dict[str, float]:
    """Of each word the logarithm of how much likelier it is in an English wording than in the other language's."""
    english, theirs = _counts(ENGLISH), _counts(other)
    ratio = sum(theirs.values()) / sum(english.values())
    words = english.keys() | theirs.keys()
    each = {word: math.log((english[word] * ratio + 0.5) / (theirs[word] + 0.5)) for word in words}
    return {word: max(-CLIPPED, min(CLIPPED, weight)) for word, weight in each.items()}


@cache
def _counts(language: str) -> Counter[str]:
    words = Words(ENGLISH)
    lines = (one.wording for one in known(False, language))
    return Counter(word for line in lines for word in words.of(re.sub(r"{\w+}", " ", line)))
