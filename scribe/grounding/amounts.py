"""Amounts in a folded text: numbers with their units, spelled out or in digits, exact or rounded, and fractions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scribe.grounding.words import compile_phrases, read_table

_TABLE = read_table("numerals")
_COUNTED = {word: value for language in ("english", "french") for value, word in enumerate(_TABLE[language])}
_NUMERALS: dict[str, int] = _COUNTED | _TABLE["others"]
_WORD = "|".join(sorted(_NUMERALS, key=len, reverse=True))
_SPELLED = rf"(?:a |two |three |deux |trois )?(?:{_WORD})(?:(?:[ -]| et |-et-| and )(?:{_WORD})){{0,9}}"
_UNITS: dict[str, str] = read_table("units")
_SAME = {"hours": "minutes", "seconds": "minutes", "others": ""}
_UNIT = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _UNITS.items())
_AMOUNT = re.compile(
    rf"(?<![\w.,-])(?:(?P<digits>\d+(?: \d{{3}})+(?!\d)|\d+(?:[.,]\d+)*)(?!\d)|(?P<spelled>{_SPELLED})(?![a-z]))"
    r"(?P<thousand> thousand| mille)?"
    rf"(?P<out> (?:out of|of|sur)(?: the| its| les)? (?P<of>\d+(?:[.,]\d+)?|{_SPELLED})(?![\w%])(?! ?(?:%|per ?cent|"
    rf"pour)))?(?:[ -]?(?:(?:extra|more|fewer|less|quiz|study|whole|full|late|weekend|video) )?(?:{_UNIT})(?![a-z]))?"
)
_LONG = re.compile(
    r"(?:a good |a )?(?:(?:(?P<count>\d+|" + _SPELLED + r"|an|one) )?(?:hours?|heures?)|(?P<glued>\d{1,2}) ?h) ?"
    r"(?:and |et )(?:a |une )?(?P<rest>half|demie|quarter|quart|\d+|" + _SPELLED + r")(?: minutes?)?|"
    r"(?P<half>half an hour|une demi-heure|demi-heure)|(?P<third>quarter of an hour|quart d'heure)|"
    r"(?P<single>an hour|une heure)"
)
_SHARES = {"three4": 75.0, "two3": 200 / 3, "four5": 80.0, "one3": 100 / 3, "one4": 25.0, "one2": 50.0, "one10": 10.0}
_WORDS = compile_phrases("amounts")
_LIST_MARK = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_MULTIPLE = re.compile(r" (?:times|fois) (?:as|more|the|less|plus|moins|le)\b")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that a text gives. unit: "" if it has none; hours are told in minutes.

    vague: said as a rounding. of: the whole of "17 of 40". word: what follows a number without a known unit.
    """

    start: int
    end: int
    value: float
    unit: str
    vague: bool = False
    of: float | None = None
    word: str = ""

    def fits(self, value: float, unit: str) -> bool:
        """Whether the amount tells this value, as people round."""
        if not self.agrees(unit):
            return False
        slack = 0.1 * abs(value) + 0.6 if self.vague else 0.51 if self.value == int(self.value) else 0.051
        if self.unit == unit == "minutes" and self.value % 60 == 0 and self.value:
            slack = max(slack, 31.0 if value >= 120 or self.vague else slack)  # said in hours
        said = abs(self.value)
        if not self.unit and unit == "minutes" and abs(60 * said - abs(value)) <= 31:
            return True  # "108 hours against 49"
        return abs(said - abs(value)) <= slack

    def agrees(self, unit: str) -> bool:
        """Whether something in this unit could be meant."""
        return not self.unit or not unit or self.unit == unit or {self.unit, unit} in _ALIKE


_ALIKE: tuple[set[str], ...] = (
    {"clicks", "times"}, {"openings", "times"}, {"answers", "times"}, {"points", "percent"}, {"sessions", "times"},
)  # fmt: skip


def read_amounts(text: str) -> tuple[Amount, ...]:
    """All amounts of a folded text, in order; the numbers of lists and of weeks must be blanked out before."""
    text = _LIST_MARK.sub(lambda match: " " * len(match[0]), text)
    found: list[Amount] = []
    for match in _LONG.finditer(text):
        found.append(Amount(match.start(), match.end(), _minutes(match), "minutes", True))
        text = _blank(text, match)
    for match in _WORDS["fraction"].finditer(text):
        share = next(value for name, value in _SHARES.items() if match[name])
        found.append(Amount(match.start(), match.end(), share, "percent", True, word="fraction"))
        text = _blank(text, match)
    found += _plain_amounts(text)
    return tuple(sorted(found, key=lambda each: each.start))


def read_number(text: str) -> float | None:
    """The number that digits or words spell, or None."""
    if text[:1].isdigit():
        whole = re.sub(r"(?<=\d) (?=\d{3})", "", text)
        whole = whole.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", whole) else whole.replace(",", ".")
        return float(whole) if whole.count(".") < 2 else None
    total = 0.0
    for word in re.findall(_WORD, text):
        value = _NUMERALS[word]
        total = max(total, 1) * value if value == 100 else total + value
    return total


def _plain_amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        value = read_number(match["digits"] or match["spelled"])
        unit = next((name for name in _UNITS if match[name]), "")
        if value is None or (match["spelled"] and unit in ("", "others") and not match["of"]):
            continue
        if match["spelled"] in ("a", "one", "un", "une") or _MULTIPLE.match(text, match.end("digits")):
            continue
        before = _WORDS["rounded"].search(text[max(0, match.start() - 30) : match.start()])
        vague = bool(before and _WORDS["vague"].search(before[0]))
        last = unit if unit not in ("", "others") else "out" if match["out"] else "digits"
        end = match.end(last)
        yield Amount(
            match.start(),
            end if end > 0 else match.end(),
            value * {"hours": 60, "seconds": 1 / 60}.get(unit, 1) * (1000 if match["thousand"] else 1),
            _SAME.get(unit, unit) or ("points" if match["of"] else ""),
            vague or bool(match["thousand"]),
            read_number(match["of"]) if match["of"] else None,
            match["others"] or "",
        )


def _minutes(match: re.Match[str]) -> float:
    if match["half"] or match["third"] or match["single"]:
        return 30.0 if match["half"] else 15.0 if match["third"] else 60.0
    count = match["count"] or match["glued"]
    hours = 1.0 if count in (None, "an", "one", "une") else read_number(count) or 0.0
    rest = {"half": 30.0, "demie": 30.0, "quarter": 15.0, "quart": 15.0}.get(match["rest"])
    return 60 * hours + (rest if rest is not None else read_number(match["rest"]) or 0.0)


def _blank(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "." * (match.end() - match.start()) + text[match.end() :]
