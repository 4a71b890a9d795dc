"""What a behaviour or a word of a report means, found by any of its names, misspelt or not.

In a French course these are its French and its English names: reports use the English ones. Where no name is close,
a behaviour is found by the words of its label and its description, or by a name that stands in the question.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rapidfuzz import fuzz, process

from data.catalogue import Catalogue, Dimension, Feature
from data.catalogue_languages import catalogue_in
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.details.everyday_names import Everyday
from tools.details.report_words import ReportWords, report_words
from tools.phrases import ENGLISH, Phrases
from tools.search.words import Words

CLOSE = 80.0
"""Similarity (0 to 100) from which a name is taken to be meant."""
MEASURES = 3
_WEEK_SUFFIX = re.compile(r"[_ ]?in[_ ]?week\s*\d+$", re.IGNORECASE)
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


def make(catalogue: Catalogue, say: Phrases) -> Tool:
    """The tool for this catalogue, which is in the language of `say`; it is the same for every student."""

    def get_feature_description(feature: str, asked: str = "") -> dict[str, Any]:
        """What a behaviour or feature named in the report means and how it is measured."""
        names = _names(catalogue, say.language)  # only now: most questions call another tool
        said = _WEEK_SUFFIX.sub("", words_of(feature, say, "feature"))
        name = names.words.of(said)
        if name in names.sides:
            return _defined(say, catalogue, names.sides[name])
        ranked = process.extract(name, list(names.known), scorer=_likeness, limit=None)
        if name not in names.known and (word := names.glossary.called(said)):
            return word.told()
        if not ranked or ranked[0][1] < CLOSE:
            if word := names.glossary.standing_in(said) or names.glossary.standing_in(asked):
                return word.told()
            if meant := names.everyday.meant(said) or names.everyday.named_in(asked):
                return _told(say, catalogue, meant)
            closest = list(dict.fromkeys(names.known[name].label for name, _, _ in ranked))[:3]
            named = say.listed([say.named(label) for label in closest], "or")
            return no_data(say("meaning.nothing"), say("meaning.close", labels=named))
        return _told(say, catalogue, names.known[ranked[0][0]])

    return Tool.of(get_feature_description)


def glossary(language: str) -> ReportWords:
    """The words of reports, explained in this language."""
    return _names(catalogue_in(language), language).glossary


def _told(say: Phrases, catalogue: Catalogue, feature: Feature) -> dict[str, Any]:
    meaning = feature.description[:1].lower() + feature.description[1:]
    told = {"name": feature.name, "says": say("meaning.says", label=feature.label, meaning=meaning)}
    if feature.good != "depends":
        told["usually"] = say(f"meaning.{feature.good}")
    if feature.dimension:
        side = catalogue.dimension(feature.dimension)
        told["dimension"] = say("meaning.dimension", title=side.title, the=side.the)
    return told


def _defined(say: Phrases, catalogue: Catalogue, dimension: Dimension) -> dict[str, Any]:
    labels = [feature.the for feature in catalogue.of_dimension(dimension.name)]
    measured = say("meaning.measured", labels=say.listed(labels[:MEASURES]))
    return {"name": dimension.name, "says": dimension.definition, "measured": measured}


@dataclass(frozen=True, slots=True)
class _Words:
    """How names are compared in a language. `read`: its words, whose fillers take a while to gather."""

    language: str
    read: Words

    def of(self, name: str) -> str:
        """A name as words: "NumberOfSessions" and "number_of_sessions" become "number of sessions".

        French words are stemmed and lose their accents and articles: "la regularité des horaires" is "regular horair".
        """
        spread = _WORD_START.sub(" ", name)
        if self.language == ENGLISH:
            return " ".join(spread.lower().split())
        return " ".join(self.read.stems(self.read.telling(spread) or self.read.of(spread)))


@dataclass(frozen=True, slots=True)
class _Names:
    """All that has a name, of behaviours, of their dimensions and of reports, as names are compared."""

    words: _Words
    known: dict[str, Feature]
    sides: dict[str, Dimension]
    glossary: ReportWords
    everyday: Everyday


@cache
def _words(language: str) -> _Words:
    return _Words(language, Words(language))


@lru_cache(maxsize=4)
def _names(catalogue: Catalogue, language: str) -> _Names:
    """The names in a language, made once for all students and courses: there is nothing of theirs in them."""
    words = _words(language)
    return _Names(
        words,
        {
            words.of(name): feature
            for feature in catalogue
            for name in (feature.name, feature.code, *feature.aliases, feature.label)
        },
        {words.of(name): side for side in catalogue.dimensions for name in (side.name, side.title)},
        report_words(language, words.of),
        Everyday.of(catalogue, words.read),
    )


def _likeness(asked: str, name: str, **_: object) -> float:
    """0 to 100: by letters, by words in any order, or by one being part of the other.

    Words run together cost nothing; a single word is no part that could tell features apart.
    """
    letters = fuzz.ratio(asked.replace(" ", ""), name.replace(" ", ""))
    sorted_words = fuzz.token_sort_ratio(asked, name)
    whole, part = set(asked.split()), set(name.split())
    contained = len(whole) > 1 < len(part) and (whole <= part or part <= whole)
    return max(letters, sorted_words - 1.0, CLOSE + sorted_words / 10.0 if contained else 0.0)
