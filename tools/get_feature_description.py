"""What a behaviour named in a report means, found by any of its names, misspelt or not."""

import re
from typing import Any

from rapidfuzz import fuzz, process

from data.catalogue import Catalogue, Dimension, Feature
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.wording import listed

CLOSE = 80.0
"""Similarity (0 to 100) from which a name is taken to be meant."""
MEASURES = 3
_WEEK_SUFFIX = re.compile(r"[_ ]?in[_ ]?week\s*\d+$", re.IGNORECASE)
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


def make(catalogue: Catalogue) -> Tool:
    """The tool for this catalogue; it is the same for every student."""
    known = {
        _words(name): feature
        for feature in catalogue
        for name in (feature.name, feature.code, *feature.aliases, feature.label)
    }

    def get_feature_description(feature: str) -> dict[str, Any]:
        """What a behaviour or feature named in the report means and how it is measured."""
        asked = _words(_WEEK_SUFFIX.sub("", words_of(feature, "feature")))
        for dimension in catalogue.dimensions:
            if asked == dimension.name:
                return _defined(catalogue, dimension)
        ranked = process.extract(asked, list(known), scorer=_likeness, limit=None)
        if not ranked or ranked[0][1] < CLOSE:
            closest = list(dict.fromkeys(known[name].label for name, _, _ in ranked))[:3]
            return no_data("No behaviour has this name.", f"Close names: {listed(closest, 'or')}.")
        return _told(known[ranked[0][0]])

    return Tool.of(get_feature_description)


def _told(feature: Feature) -> dict[str, Any]:
    meaning = feature.description[:1].lower() + feature.description[1:]
    told = {"name": feature.name, "says": f"The behaviour {feature.label} {meaning}"}
    if feature.good != "depends":
        told["usually"] = f"Usually {feature.good} of it goes with better results."
    if feature.dimension:
        told["dimension"] = f"It belongs to {feature.dimension.capitalize()}."
    return told


def _defined(catalogue: Catalogue, dimension: Dimension) -> dict[str, Any]:
    labels = [feature.label for feature in catalogue.of_dimension(dimension.name)]
    measured = f"It is measured by {listed(labels[:MEASURES])}."
    return {"name": dimension.name, "says": dimension.definition, "measured": measured}


def _words(name: str) -> str:
    """A name as words: "NumberOfSessions" and "number_of_sessions" become "number of sessions"."""
    return " ".join(_WORD_START.sub(" ", name).lower().split())


def _likeness(asked: str, name: str, **_: object) -> float:
    """0 to 100: by letters, by words in any order, or by one being part of the other.

    Words run together cost nothing; a single word is no part that could tell features apart.
    """
    letters = fuzz.ratio(asked.replace(" ", ""), name.replace(" ", ""))
    sorted_words = fuzz.token_sort_ratio(asked, name)
    whole, part = set(asked.split()), set(name.split())
    contained = len(whole) > 1 < len(part) and (whole <= part or part <= whole)
    return max(letters, sorted_words - 1.0, CLOSE + sorted_words / 10.0 if contained else 0.0)
