"""The weeks of a course that a student's question names, however it does: "w4", "the fourth week", "next week"."""

import re

from data.course import Course
from scribe.figures import weeks as written

_ORDINALS = (
    ("first", "premiere", "première"),
    ("second", "deuxième", "deuxieme", "seconde"),
    ("third", "troisième", "troisieme"),
    ("fourth", "quatrième", "quatrieme"),
    ("fifth", "cinquième", "cinquieme"),
    ("sixth", "sixième", "sixieme"),
    ("seventh", "septième", "septieme"),
    ("eighth", "huitième", "huitieme"),
    ("ninth", "neuvième", "neuvieme"),
    ("tenth", "dixième", "dixieme"),
    ("eleventh", "onzième", "onzieme"),
    ("twelfth", "douzième", "douzieme"),
)
_COUNTED = re.compile(
    r"\d+(?:[.,]\d+)?\s*(?:%|percent|pour cent|h\b|hours?|heures?|min|exerci[sc]es?|exos?|problems?|tasks?|videos?|"
    r"vidéos?|quiz|clicks?|clics?|times?\b|fois|questions?|sessions?|séances?|lectures?|days?|jours?|points?|pages?)",
    re.IGNORECASE,
)
_NTH = re.compile(
    r"\b(?:(?P<digits>\d{1,2})\s?(?:st|nd|rd|th|re|ère|e|ème|eme)|(?P<word>" + "|".join(sum(_ORDINALS, ())) + r"))"
    r"\s+(?:week|semaine)\b",
    re.IGNORECASE,
)
LAST_WEEK = 60
"""A larger number behind the word is none of a week."""
_SHORT = re.compile(r"(?<!['’])\b(?:wk|w|sem)[ .#]{0,2}(\d{1,2})\b", re.IGNORECASE)
_SHORT_FRENCH = re.compile(r"(?<!['’])\bs ?(\d{1,2})\b", re.IGNORECASE)  # in English "s12" is rather a student
_AFTER = re.compile(r"\b(?:next|coming|following) week\b|\bsemaine (?:prochaine|qui vient|suivante)\b", re.IGNORECASE)
_JUST_OVER = re.compile(
    r"(?<!the )(?<!before )\blast week\b(?! of)|\bsemaine (?:derni[eè]re|pass[ée]e)\b", re.IGNORECASE
)
_END = re.compile(
    r"\b(?:final week|last week of (?:the|this|our) (?:course|class|term|semester))\b|\bdernière semaine du cours\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:\b(?:and|or|vs|for|in|about|et|ou|pour|en|la|the)\s+|^\s*|&\s*|,\s*)(\d{1,2})(?!\d|[.,]\d|%|\s*h\b)"
)


def weeks(text: str, course: Course, follows: bool = False) -> tuple[int, ...]:
    """The weeks that a text names, in order, also those that the course lacks. What is counted is none: "15 hours".

    follows: the text goes on from a question, so that a bare number ("and 4?") or "next week" of the one talked about
    may be a week: bare numbers are taken, "next week" is left to who knows the conversation.
    """
    told = _COUNTED.sub(" ", text)
    shortened = _SHORT.findall(told) + (_SHORT_FRENCH.findall(told) if course.language != "en" else [])
    found = set(written(told)) | set(map(int, shortened)) | set(_by_place(told))
    if _END.search(told):
        found.add(course.weeks)
    elif _JUST_OVER.search(told) and not follows:
        found.add(course.weeks_done)
    if _AFTER.search(told) and not follows:
        found.add(course.weeks_done + 1)
    if follows and not found:
        found = {int(number) for number in _BARE.findall(told)}
    return tuple(sorted(week for week in found if 1 <= week <= LAST_WEEK))


def _by_place(text: str) -> list[int]:
    places = {word: number for number, words in enumerate(_ORDINALS, start=1) for word in words}
    return [int(nth["digits"]) if nth["digits"] else places[nth["word"].lower()] for nth in _NTH.finditer(text)]
