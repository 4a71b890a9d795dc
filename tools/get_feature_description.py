"""What a behaviour named in a report means, found by any of its names, misspelt or not.

In a French course these are its French and its English names: reports use the English ones.
"""

import re
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from data.catalogue import Catalogue, Dimension, Feature
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.phrases import ENGLISH, Phrases
from tools.search.words import Words

CLOSE = 80.0
"""Similarity (0 to 100) from which a name is taken to be meant."""
MEASURES = 3
_WEEK_SUFFIX = re.compile(r"[_ ]?in[_ ]?week\s*\d+$", re.IGNORECASE)
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


def make(catalogue: Catalogue, say: Phrases) -> Tool:
    """The tool for this catalogue, which is in the language of `say`; it is the same for every student."""
    words = _Words(say.language)
    known = {
        words.of(name): feature
        for feature in catalogue
        for name in (feature.name, feature.code, *feature.aliases, feature.label)
    }
    sides = {words.of(name): side for side in catalogue.dimensions for name in (side.name, side.title)}

    def get_feature_description(feature: str) -> dict[str, Any]:
        """What a behaviour or feature named in the report means and how it is measured."""
        asked = words.of(_WEEK_SUFFIX.sub("", words_of(feature, say, "feature")))
        if asked in sides:
            return _defined(say, catalogue, sides[asked])
        ranked = process.extract(asked, list(known), scorer=_likeness, limit=None)
        if not ranked or ranked[0][1] < CLOSE:
            closest = list(dict.fromkeys(known[name].label for name, _, _ in ranked))[:3]
            named = say.listed([say.named(label) for label in closest], "or")
            return no_data(say("meaning.nothing"), say("meaning.close", labels=named))
        return _told(say, catalogue, known[ranked[0][0]])

    return Tool.of(get_feature_description)


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
    """How names are compared in a language."""

    language: str

    def of(self, name: str) -> str:
        """A name as words: "NumberOfSessions" and "number_of_sessions" become "number of sessions".

        French words are stemmed and lose their accents and articles: "la regularité des horaires" is "regular horair".
        """
        spread = _WORD_START.sub(" ", name)
        if self.language == ENGLISH:
            return " ".join(spread.lower().split())
        read = Words(self.language)
        return " ".join(read.stems(read.telling(spread) or read.of(spread)))


def _likeness(asked: str, name: str, **_: object) -> float:
    """0 to 100: by letters, by words in any order, or by one being part of the other.

    Words run together cost nothing; a single word is no part that could tell features apart.
    """
    letters = fuzz.ratio(asked.replace(" ", ""), name.replace(" ", ""))
    sorted_words = fuzz.token_sort_ratio(asked, name)
    whole, part = set(asked.split()), set(name.split())
    contained = len(whole) > 1 < len(part) and (whole <= part or part <= whole)
    return max(letters, sorted_words - 1.0, CLOSE + sorted_words / 10.0 if contained else 0.0)
