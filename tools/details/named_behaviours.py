"""Which behaviours of the catalogue a question names: by their labels, or in students' own words."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from data.catalogue import Catalogue, Feature
from tools.phrases import SPOKEN
from tools.search.words import LONGEST, WORD, folded

NEAR = 9
"""Words of a question that one wording may stretch over."""
LABEL = 10
"""What being named by its label counts more than being named in a student's words."""
LETTERS = 10
"""From this length on a single word, as "RegPeakTimeDayHour", is a name nobody writes by chance."""

Choice = tuple[tuple[str, ...], ...]
"""Spellings of which one will do, each one word or several in a row."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to name a feature, by words that must all be there. `broad`: see the toml."""

    feature: str
    words: tuple[Choice, ...]
    broad: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A feature that a question names, the places of the words that do, and how surely they do.

    broad: the words tell which behaviour is meant, but not what a plan with it is about.
    """

    feature: Feature
    places: frozenset[int]
    weight: int
    broad: bool = False


def named(
    text: str, catalogue: Catalogue, language: str, among: Callable[[Feature], bool] = lambda _: True
) -> tuple[Named, ...]:
    """The features that a text names, the surest first; each word names one of them. Only those `among` which count.

    The English labels count in every language: reports are in English. Of a long text only its first words are read.
    """
    said = WORD.findall(folded(text))[:LONGEST]
    found = [each for each in _all(said, catalogue, language) if among(each.feature)]
    taken: set[int] = set()
    chosen: dict[str, Named] = {}
    for each in sorted(found, key=lambda one: (-one.weight, one.broad)):
        if each.feature.name not in chosen and not each.places & taken:
            chosen[each.feature.name] = each
            taken |= each.places
    return tuple(chosen.values())


def _all(said: list[str], catalogue: Catalogue, language: str) -> Iterator[Named]:
    for feature, words in _labels(catalogue):
        yield from (Named(feature, each, LABEL + len(words)) for each in _in_a_row(words, said))
    for wording in _wordings(language):
        places = _close_together(wording.words, said)
        if places:
            yield Named(catalogue.by_name(wording.feature), places, len(wording.words), wording.broad)


@lru_cache(maxsize=4)
def _labels(catalogue: Catalogue) -> tuple[tuple[Feature, list[str]], ...]:
    """Every name of every feature that nobody writes by chance, as words."""
    return tuple(
        (feature, words)
        for feature in catalogue
        for name in (feature.label, feature.name, feature.code, *feature.aliases)
        if len(words := WORD.findall(folded(name))) > 1 or len(name) >= LETTERS
    )


def _in_a_row(words: Sequence[str], said: list[str]) -> Iterator[frozenset[int]]:
    count = len(words)
    for start in range(len(said) - count + 1):
        if said[start : start + count] == words:
            yield frozenset(range(start, start + count))


def _close_together(words: tuple[Choice, ...], said: list[str]) -> frozenset[int]:
    """The places of all these words within one stretch of the text, each at its own; empty where there is none."""
    standing = []  # of each choice the places where it stands, and over how many words
    for each in words:
        standing.append({at: count for at in range(len(said)) if (count := _length(said, at, each))})
        if not standing[-1]:
            return frozenset()
    for start in sorted({at for each in standing for at in each}):
        places: set[int] = set()
        missing = list(standing)
        for at in range(start, min(start + NEAR, len(said))):
            fits = next((each for each in missing if at in each), None)
            if fits and at not in places:
                missing.remove(fits)
                places |= set(range(at, at + fits[at]))
        if not missing:
            return frozenset(places)
    return frozenset()


def _length(said: list[str], at: int, choice: Choice) -> int:
    """How many words of the text, from a place on, are one of these spellings; 0 if none is."""
    spelt = (each for each in choice if at + len(each) <= len(said))
    return next((len(each) for each in spelt if all(map(_is, said[at : at + len(each)], each))), 0)


def _is(word: str, spelling: str) -> bool:
    return word.startswith(spelling[:-1]) if spelling.endswith("*") else word == spelling


@cache
def _wordings(language: str) -> tuple[Wording, ...]:
    """All wordings of a language; any that has none is read as English."""
    held = tomllib.loads(files(__package__).joinpath("named_behaviours.toml").read_text(encoding="utf-8"))
    told = held[language if language in SPOKEN else SPOKEN[0]]
    return tuple(
        Wording(feature, tuple(_choice(word) for word in line.split()), kind == "broad")
        for kind in ("precise", "broad")
        for feature, lines in told[kind].items()
        for line in lines
    )


def _choice(word: str) -> Choice:
    return tuple(tuple(spelling.split("_")) for spelling in word.split("/"))
