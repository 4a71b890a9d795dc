"""What the words of reports mean, found by their English names and those of the course's language."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rapidfuzz import fuzz, process

from tools.phrases import ENGLISH

CLOSE = 85.0
"""Similarity (0 to 100) from which a name of several words is meant; a single word must be spelled right."""


@dataclass(frozen=True, slots=True)
class ReportWord:
    """A word of reports: its name as tools tell it, all names it goes by, and what it means."""

    name: str
    names: tuple[str, ...]
    says: str

    def told(self) -> dict[str, str]:
        """It as a tool result."""
        return {"name": self.name, "says": self.says}


@dataclass(frozen=True, slots=True)
class ReportWords:
    """The words of reports. `known`: each by its names, as `spread` writes them."""

    known: dict[str, ReportWord]
    spread: Callable[[str], str]

    def called(self, name: str) -> ReportWord | None:
        """The word that has this name, a longer one perhaps misspelt."""
        asked = self.spread(name)
        if asked in self.known:
            return self.known[asked]
        longer = [each for each in self.known if " " in each]
        best = process.extractOne(asked, longer, scorer=fuzz.ratio, score_cutoff=CLOSE)
        return self.known[best[0]] if best else None

    def standing_in(self, text: str) -> ReportWord | None:
        """The word with the longest name of several words that stands in the text."""
        said = f" {self.spread(text)} "
        names = [name for name in self.known if " " in name and f" {name} " in said]
        return self.known[max(names, key=len)] if names else None


def report_words(language: str, spread: Callable[[str], str]) -> ReportWords:
    """The words explained in this language; `spread` writes names as they are compared."""
    return ReportWords({spread(name): word for word in _read(language) for name in word.names}, spread)


@cache
def _read(language: str) -> tuple[ReportWord, ...]:
    english, own = _entries(ENGLISH), _entries(language)
    return tuple(
        ReportWord(name, (*entry["names"], *own[name]["names"]), own[name]["says"]) for name, entry in english.items()
    )


def _entries(language: str) -> dict[str, dict[str, str]]:
    read = files(__package__).joinpath(f"report_words_{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(read)
