"""Material made harmless: whatever in it looks like our fences, a decision line or a chat's control tokens.

Seen through are capitals, accents, full-width and mathematical letters, letters of other alphabets that look Latin,
invisible characters, and anything but letters between the letters ("F-I-N-A-L  *DECISION*").
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_LOOKALIKES = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіІјЅѕԁԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρτɑɡɩıɴʟꜰᴅᴇᴄꜱᴏɪᴀ",
    "ABEKMHOPCTYXaeopcyxiIjSsdqwhABEZHIKMNOPTYXoaivptagiiNLFDECSOIA",
)
_UNSEEN = ("Cf", "Cc", "Co", "Cs")
_INVISIBLE = (*_UNSEEN, "Mn", "Me", "Cn")
_FENCE = re.compile(r"[<>]{2,}|<\s*[|/!]|\|\s*>")
_CONTROL = re.compile(
    r"\[\s*/?\s*(?:INST|SYS|SYSTEM|USER|ASSISTANT)\s*\]|<\s*/?\s*(?:s|think|system|assistant|user)\s*>", re.I
)
IMITATION = "(words of a decision, not the judge's)"
_OPENING, _CLOSING = "‹‹", "››"


@lru_cache(maxsize=512)  # listings and reports come again and again
def defuse(text: str, labels: tuple[str, ...]) -> str:
    """The text with imitations replaced. labels: the words before a verdict, as rubrics have them."""
    seen = "".join(each for each in text if each in "\n\t" or unicodedata.category(each) not in _UNSEEN)
    for pattern in (_CONTROL, _FENCE):
        seen = _replaced(seen, pattern, _weakened)
    for label in labels:
        seen = _replaced(seen, _spread(label), lambda found: IMITATION)
    return seen


def _weakened(found: str) -> str:
    """Brackets of another kind: still to be read by a person, no longer what they were."""
    plain, _ = _folded(found)
    if plain.strip("<>") == "":
        return _OPENING if "<" in plain else _CLOSING
    return "(" + "".join(each for each in plain if each.isalnum() or each in "/ _") + ")"


def _replaced(text: str, pattern: re.Pattern[str], by: Callable[[str], str]) -> str:
    """The text with what `pattern` finds in its plain form replaced where it stands in the text."""
    plain, places = _folded(text)
    made, end = [], 0
    for match in pattern.finditer(plain):
        if match.start() == match.end():
            continue
        first, last = places[match.start()], places[match.end() - 1]
        if first < end:
            continue
        made += [text[end:first], by(text[first : last + 1])]
        end = last + 1
    return "".join([*made, text[end:]])


def _folded(text: str) -> tuple[str, list[int]]:
    """The text in plain letters, and for each of them its place in the text."""
    plain: list[str] = []
    places: list[int] = []
    for place, each in enumerate(text):
        for letter in _plain(each):
            plain.append(letter)
            places.append(place)
    return "".join(plain), places


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    if letter in "\n\t ":
        return letter
    apart = unicodedata.normalize("NFKD", letter.translate(_LOOKALIKES)).translate(_LOOKALIKES)
    return "".join(each for each in apart if unicodedata.category(each) not in _INVISIBLE)


@lru_cache(maxsize=64)
def _spread(label: str) -> re.Pattern[str]:
    """The label's letters with a little of anything but letters between them, where a decision seems to follow.

    "The final decision is yours" may stay.
    """
    letters = [re.escape(each) for each in label if not each.isspace()]
    decision = r"(?=[\W_]{0,6}[:=∶]|[\W_]{0,20}(?:is[\W_]{1,6})?(?:yes|no)(?![a-z]))"
    return re.compile(r"(?<![a-z])" + r"[\W_]{0,6}".join(letters) + decision, re.IGNORECASE)
