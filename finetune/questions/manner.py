"""How students type: in small letters, without punctuation, with slips, under stress, with what is on their mind."""

import random
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

ENGLISH = "en"
_LETTERS = {"en": "a-z", "fr": "a-zàâçéèêëîïôùûü"}
_CAPITALISED = {"en": r"\b[A-Z][a-z]+\b", "fr": r"\b[A-ZÀÂÇÉÈÊËÎÏÔÙÛÜ][a-zàâçéèêëîïôùûü]+\b"}

_MEASURED = re.compile(r"(?<!week )(?<!weeks )(?<!\d)(?<! and )\d")
_DID = re.compile(
    r"\byou\b|\byour\b.+\b(?:was|were|came|stood|stands|averaged|added|differed|made|is)\b", re.IGNORECASE
)
_ASIDE = re.compile(
    r"where |which |(?:\S+ )*\b(?:is|are) (?:usual|typical)\b|for your |the class|a typical", re.IGNORECASE
)


class Manner:
    """One language's ways of typing, drawn from one random source. Another language than French is read as English."""

    def __init__(self, source: random.Random, language: str = ENGLISH) -> None:
        self.random = source
        self.language = language if language in _LETTERS else ENGLISH

    def roughened(self, text: str) -> str:
        """The text in lower case, without punctuation, with a greeting or a slip of the finger, each now and then."""
        draw, words = self.random.random, said(self.language)
        if draw() < 0.3:
            text = lowered(text, self.language)
        if draw() < 0.3:
            text = text.rstrip("?.! ")
        if draw() < 0.06:
            text = self.random.choice(words["greetings"]) + text
        if draw() < 0.05:
            text += self.random.choice(words["endings"])
        return self.slipped(text) if draw() < 0.06 else text

    def slipped(self, text: str) -> str:
        """The text with two letters of a word swapped or one left out; as it is if no word is long enough."""
        words = list(re.finditer(rf"[{_LETTERS[self.language]}]{{5,}}", text))
        if not words:
            return text
        word = self.random.choice(words)
        at = self.random.randrange(word.start() + 1, word.end() - 1)
        swapped = text[at + 1] + text[at]
        return text[:at] + self.random.choice((swapped, text[at + 1])) + text[at + 2 :]

    def bare(self, text: str) -> str:
        """The text in small letters and without any punctuation, as it is typed on a phone in a hurry."""
        text = re.sub(r"\s*[?!.;:…]+(?=\s|$)|,(?=\s)", "", lowered(text, self.language))
        return " ".join(text.split())

    def stressed(self, text: str) -> str:
        """The text with worry or relief before it."""
        return self._led(text, self.random.choice(said(self.language)["feelings"]))

    def joined(self, first: str, second: str) -> str:
        """Two questions in one breath."""
        joint = self.random.choice(said(self.language)["joints"])
        kept = first.rstrip(" .?!") if joint.startswith(",") else _closed(first)
        return f"{kept}{joint}{second[:1].lower()}{second[1:]}"

    def ungreeted(self, text: str) -> str:
        """The text without the greeting that it begins with: nobody says hello in mid-sentence."""
        return text.removeprefix(self._greeting(text))

    def told(self, text: str, report: str, week: int = 0) -> str:
        """The text with words of the report before it, quoted as somebody would; as it is if none fit.

        week: which the text asks about, 0 for none; nobody leads up to it with words on another one.
        """
        clauses = [each for each in quotable(report) if not week or _weeks(each) <= {week}]
        if not clauses:
            return text
        frame = self.random.choice(said(self.language)["quotes"])
        return self._led(text, frame.replace("{quote}", self.random.choice(clauses)))

    def situated(self, text: str) -> str:
        """The text after a sentence on the life of who asks."""
        unsaid = [each for each in said(self.language)["lives"] if each not in text]
        return self._led(text, self.random.choice(unsaid))

    def _led(self, text: str, words: str) -> str:
        """The text with these words before it, after the greeting if it begins with one."""
        greeting = self._greeting(text)
        return f"{greeting}{words} {text[len(greeting) :]}"

    def _greeting(self, text: str) -> str:
        return next((each for each in said(self.language)["greetings"] if text.startswith(each)), "")


def lowered(text: str, language: str = ENGLISH) -> str:
    """Lower case but for words in capitals, such as DFT, and names such as DelayLecture."""
    return re.sub(_CAPITALISED.get(language, _CAPITALISED[ENGLISH]), lambda match: match.group().lower(), text)


def quotable(report: str) -> list[str]:
    """Parts of the report of four to sixteen words that tell what the student did, each as it stands there.

    What tells of the class alone ("where 60 percent would be typical") says nothing without what it goes with.
    """
    points = re.findall(r"^- \*\*[^*]+\*\*(.+)$", report, re.MULTILINE)
    pieces = (re.split(r"(?<=[.;])\s+|: (?!\d)|, (?=which|and|where)", point) for point in points)
    clauses = (part.strip(" .,;") for parts in pieces for part in parts)
    return [part for part in clauses if 4 <= len(part.split()) <= 16 and _MEASURED.search(part) and _telling(part)]


def _telling(text: str) -> bool:
    return text.count("(") == text.count(")") and bool(_DID.search(text)) and not _ASIDE.match(text)


def _weeks(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\bweek (\d+)", text)}


def _closed(text: str) -> str:
    """The text with a question mark, unless it ends with some mark already."""
    return f"{text.rstrip()}?" if text.rstrip()[-1:].isalnum() else text.rstrip()


@cache
def said(language: str) -> dict[str, tuple[str, ...]]:
    """What students say around a question, by kind."""
    content: dict[str, Any] = tomllib.loads(
        files(__package__).joinpath(f"manner_{language}.toml").read_text(encoding="utf-8")
    )
    return {kind: tuple(lines) for kind, lines in content.items()}
