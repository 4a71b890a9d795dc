"""Material made harmless: whatever in it looks like our fences, a decision line or a chat's control tokens.

Seen through are capitals, accents, full-width and mathematical letters, letters of other alphabets that look Latin,
digits in place of letters, invisible characters, and anything but letters between the letters ("F-I-N-A-L
*DECISION*").
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_ALIKE = {
    "a": "АаΑαɑᴀꓮᎪᗩ",
    "b": "ВвΒʙꓐᏴᗷ",
    "c": "СсϹϲᴄꓚᏟᑕ",
    "d": "Ԁԁᴅꓓ\u13a0ᗪđĐðÐ",
    "e": "ЕеΕεєЄɛᴇꓰᎬ",
    "f": "ꜰꓝϜƒᖴ",
    "g": "ɡɢꓖᏀ",
    "h": "НнһΗʜꓧᎻ",
    "i": "ІіΙιıɩɪꓲӀᎥᛁ",
    "j": "Јјᴊꓙ",
    "k": "КкΚκᴋꓗ",
    "l": "ʟꓡᏞᒪłŁ",
    "m": "МмΜᴍꓟᎷ",
    "n": "Νηոɴꓠᑎ",
    "o": "ОоΟοօᴏꓳøØ",
    "p": "РрΡρᴘꓑᏢ",
    "q": "ԛԚ",
    "r": "ʀꓣᎡ",
    "s": "ЅѕՏꜱꓢᏚᔕ",
    "t": "ТтΤτᴛꓔᎢ",
    "u": "υսՍᴜꓴᑌ",
    "v": "νѵᴠꓦᏙ",
    "w": "ԝԜᴡꓪᏔ",
    "x": "ХхΧχꓫ",
    "y": "УуΥγʏꓬ",
    "z": "Ζᴢꓜ",
}
_BLOCKS = (0x1F150, 0x1F170, 0x1F1E6)
"""Where the letters A to Z stand in circles, in squares, and as halves of flags; the plain forms can be decomposed."""

LOOKALIKES = {ord(each): letter for letter, others in _ALIKE.items() for each in others} | {
    first + place: chr(ord("a") + place) for first in _BLOCKS for place in range(26)
}
"""Code point → the Latin letter, in lower case, that a reader takes it for."""

FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters by their category that show nothing."""

STANDING_IN = {"a": "a4@", "e": "e3", "i": "i1l!|", "l": "l1|", "o": "o0", "s": "s5$"}
"""Latin letter → what is written for it with a wink."""

_UNSEEN = ("Cf", "Cc", "Co", "Cs")
_INVISIBLE = (*_UNSEEN, "Mn", "Me", "Cn", "Lm")
# Spaces are taken possessively (`*+`), or a bracket before very many of them would take hours.
_FENCE = re.compile(r"[<>]{2,}|<\s*+[|/!]|\|\s*+>")
_CONTROL = re.compile(
    r"\[\s*+/?\s*+(?:INST|SYS|SYSTEM(?:_PROMPT)?|USER|ASSISTANT|THINK|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT"
    r"|AVAILABLE_TOOLS)\s*\]"
    r"|<\s*+/?\s*+(?:s|[be]os|think(?:ing)?|system|assistant|user|human|(?:start|end)_of_turn"
    r"|(?:tool|function)(?:_(?:calls?|responses?|results?|outputs?))?)(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
IMITATION = "(words of a decision, not the judge's)"
_GAPS = (r"[\W_]", r"(?:<[^<>\n]{0,60}>|&#?\w{1,8};|[\W_])")
"""What may stand between a label's letters: anything but letters, or that and markup."""
_OPENING, _CLOSING = "‹‹", "››"


@lru_cache(maxsize=512)  # listings and reports come again and again
def defuse(text: str, labels: tuple[str, ...]) -> str:
    """Replace imitations in a text. labels: the words before a verdict, as rubrics have them."""
    seen = "".join(each for each in text if each in "\n\t" or unicodedata.category(each) not in _UNSEEN)
    for label in labels:
        for gap in _GAPS:
            seen = _replace(seen, _label_pattern(label, gap), lambda imitation: IMITATION)
    for pattern in (_CONTROL, _FENCE):
        seen = _replace(seen, pattern, _weaken)
    return seen


def _weaken(found: str) -> str:
    """Brackets of another kind: still to be read by a person, no longer what they were."""
    plain, _ = _fold(found)
    if plain.strip("<>") == "":
        return _OPENING if "<" in plain else _CLOSING
    return "(" + "".join(each for each in plain if each.isalnum() or each in "/ _") + ")"


def _replace(text: str, pattern: re.Pattern[str], by: Callable[[str], str]) -> str:
    """The text with what `pattern` finds in its plain form replaced where it stands in the text."""
    plain, places = _fold(text)
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


def _fold(text: str) -> tuple[str, list[int]]:
    """The text in plain letters, and for each of them its place in the text."""
    plain: list[str] = []
    places: list[int] = []
    for place, each in enumerate(text):
        for letter in _to_latin(each):
            plain.append(letter)
            places.append(place)
    return "".join(plain), places


@lru_cache(maxsize=4096)
def _to_latin(letter: str) -> str:
    if letter in "\n\t ":
        return letter
    apart = unicodedata.normalize("NFKD", letter.translate(LOOKALIKES)).translate(LOOKALIKES)
    return "".join(each for each in apart if each not in FILLERS and unicodedata.category(each) not in _INVISIBLE)


@lru_cache(maxsize=64)
def _label_pattern(label: str, gap: str) -> re.Pattern[str]:
    """The label's letters with gaps between them, where a decision seems to follow.

    "The final decision is yours" may stay.
    """
    letters = [f"[{re.escape(STANDING_IN.get(each, each))}]" for each in label.lower() if not each.isspace()]
    # As much may stand before the colon as the reading of a verdict lets pass, which is any number of spaces.
    decision = rf"(?=[\W_]*?[:=∶]|{gap}*+(?:(?:is|was|(?:must|shall|will) be){gap}++)?(?:yes|no)(?![a-z]))"
    return re.compile(r"(?<![a-z])" + f"{gap}{{0,40}}+".join(letters) + decision, re.IGNORECASE)
