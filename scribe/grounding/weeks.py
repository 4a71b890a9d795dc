"""The weeks that a text names, English or French."""

import re
from collections.abc import Iterator

_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
# Not "un", which is also the article of what comes next.
_FRENCH_WORDS = ["", "", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"]
_FRENCH_ORDINALS = (
    "première|deuxième|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième|onzième|douzième"
)
# "Chaque semaine, 3 heures" and "en semaine 5 à 18 heures": what is counted is no week.
_COUNTED = (
    r"(?!\s*(?:%|(?:heures?|h|minutes?|min|secondes?|pour[ \u00a0]cent|points?|clics?|vidéos?|quiz|questions?|séances?|"
    r"sessions?|exercices?|réponses?|fois|jours?|essais?|ouvertures?|pages?|mille)\b))"
)
_TO = r"(?:to|jusqu['’]à|à|until|through|-|–)"
_AGAIN = r"(?:weeks?\s+|(?:l[ae]s?\s+)?semaines?\s+)?"
_WEEK = re.compile(
    # A comma goes on with a list only after the plural: "in week 5, 12 videos" names one week.
    r"\b(?:week|wk|(?<!\bpar )(?<!\bchaque )(?P<french>semaine))(?P<plural>s)?\b[ \-_\u00a0]*"
    r"(?P<first>\d{1,9}+|" + "|".join(_WORDS) + "|(?:" + "|".join(_FRENCH_WORDS[2:]) + r")\b)"
    r"(?(french)" + _COUNTED + ")"
    r"(?P<more>(?:\s*(?:(?(plural),|(?!))|and|et|or|ou|&|" + _TO + r")+"
    r"\s*" + _AGAIN + r"\d{1,9}+(?![.,]\d)(?(french)" + _COUNTED + "))*)",
    re.IGNORECASE,
)
_NTH_WEEK = re.compile(
    rf"\b(?:(?P<digits>\d{{1,2}})\s?(?:re|ère|e|ème|eme|nde)|(?P<word>{_FRENCH_ORDINALS}))\s+semaine\b", re.IGNORECASE
)
_WEEK_KEY = re.compile(r'"[a-z_]*weeks?[a-z_]*":\s*\[?([\d,\s]+)', re.IGNORECASE)
_RANGE = re.compile(rf"(\d+)\s*{_TO}\s*{_AGAIN}(\d+)")


def find_weeks(text: str) -> tuple[tuple[int, int, frozenset[int]], ...]:
    """Where a text names weeks, from start to end, and which, ranges filled in."""
    return tuple(sorted([*_find_counted(text), *_find_nth(text)], key=lambda found: found[:2]))


def weeks(text: str) -> frozenset[int]:
    """The weeks that a text names, ranges filled in."""
    found = {week for _, _, named in find_weeks(text) for week in named}
    for match in _WEEK_KEY.finditer(text):
        found.update(int(number) for number in re.findall(r"\d{1,9}", match.group(1)))
    return frozenset(found)


def _find_counted(text: str) -> Iterator[tuple[int, int, frozenset[int]]]:
    for match in _WEEK.finditer(text):
        first, more = match["first"].lower(), match["more"]
        found = {_read(first), *(int(number) for number in re.findall(r"\d+", more))}
        for low, high in _RANGE.findall(f"{first}{more}"):
            found.update(range(int(low), min(int(high), int(low) + 60) + 1))
        yield match.start(), match.end(), frozenset(found)


def _find_nth(text: str) -> Iterator[tuple[int, int, frozenset[int]]]:
    for match in _NTH_WEEK.finditer(text):
        word = (match["word"] or "").lower()
        number = _FRENCH_ORDINALS.split("|").index(word) + 1 if word else int(match["digits"])
        yield match.start(), match.end(), frozenset({number})


def _read(first: str) -> int:
    if first in _WORDS:
        return _WORDS.index(first) + 1
    return _FRENCH_WORDS.index(first) if first in _FRENCH_WORDS else int(first)
