"""The language of a conversation: the course's, or English where the student plainly writes in it."""

from collections.abc import Sequence

from data.catalogue import load_catalogue
from tools.text.words import ENGLISH, LanguageWords, stop_words

SURE = 1
"""So many more stop words of one language than of the other decide."""


def detect_language(question: str, of_course: str, before: Sequence[str] = ()) -> str:
    """The code of the language to answer in: `of_course` unless the words are plainly English.

    Counts stop words, which every sentence has and no topic or title. `before`: earlier questions of the conversation,
    of which the last decides where this one is too short to tell.
    """
    if of_course == ENGLISH:
        return ENGLISH
    for asked in (question, *reversed(before)):
        lead = _count_lead(asked, of_course)
        if abs(lead) >= SURE:
            return ENGLISH if lead > 0 else of_course
    return of_course


def _count_lead(text: str, other: str) -> int:
    """By how many stop words English leads over the other language; words of both do not count."""
    words, english, theirs = LanguageWords(ENGLISH).split(_without_labels(text)), stop_words(ENGLISH), stop_words(other)
    return sum(word in english - theirs for word in words) - sum(word in theirs - english for word in words)


def _without_labels(text: str) -> str:
    """The text without English names of behaviours, which reports use in every course."""
    for feature in load_catalogue():
        text = text.replace(feature.label, " ")
    return text
