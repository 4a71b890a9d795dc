"""Weeks and numbers in a text, English or French, each in one spelling."""

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
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LIST_MARK = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_HARD_SPACE = re.compile(r"(?<=\d)[\u00a0\u202f](?=\d{3}(?!\d))")
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_LARGE = re.compile(r"(\d+(?:[.,]\d+)?) (thousand|mille|milliers?|million)")


def find_weeks(text: str) -> tuple[tuple[int, int, frozenset[int]], ...]:
    """Where a text names weeks, from start to end, and which, ranges filled in."""
    return tuple(sorted([*_find_counted(text), *_find_nth(text)], key=lambda found: found[:2]))


def weeks(text: str) -> frozenset[int]:
    """The weeks that a text names, ranges filled in."""
    found = {week for _, _, named in find_weeks(text) for week in named}
    for match in _WEEK_KEY.finditer(text):
        found.update(int(number) for number in re.findall(r"\d{1,9}", match.group(1)))
    return frozenset(found)


def numbers(text: str) -> frozenset[str]:
    """The numbers written in a text, in one spelling: no thousands commas, no needless zeros, a point for decimals."""
    return frozenset(_spelled(found) for found in _NUMBER.findall(_LIST_MARK.sub("", _HARD_SPACE.sub("", text))))


def in_full(text: str) -> frozenset[str]:
    """What large numbers of a text are when written in full: "1.2 thousand" is 1200."""
    sizes = {"thousand": 1e3, "million": 1e6}
    return frozenset(
        f"{float(number.replace(',', '.')) * sizes.get(size, 1e3):.0f}" for number, size in _LARGE.findall(text)
    )


def closed_up(text: str) -> str:
    """The text with its thousands written together: "1 240 clics" is "1240 clics"."""
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), text)


def named_weeks(text: str) -> tuple[str, ...]:
    """The phrases of a text that name weeks, e.g. "weeks 1 to 10", longest first."""
    return tuple(sorted({match.group() for match in _WEEK.finditer(text)}, key=len, reverse=True))


def without_weeks(text: str) -> str:
    """The text without the phrases that name weeks."""
    return _NTH_WEEK.sub(" ", _WEEK.sub(" ", text))


def in_french(phrase: str) -> tuple[str, ...]:
    """How French says a phrase such as "weeks 1 to 10"; nothing for what is no range."""
    ends = re.fullmatch(r"weeks (\d+) to (\d+)", phrase)
    if ends is None:
        return ()
    first, last = ends.groups()
    return (f"semaine {first} à la semaine {last}", f"semaines {first} à {last}", f"semaine {first} à {last}")


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


def _spelled(number: str) -> str:
    whole = number.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number) else number
    whole = whole.replace(",", ".")
    if whole.count(".") == 1:
        whole = whole.rstrip("0").rstrip(".")
    return whole.lstrip("0") or "0"
