"""What a behaviour or a word of a report means, with the student's own values of it.

Found by any of its names, misspelt or not, by their parts, or by meaning ("coming back regularly", "weekend").
In a French course these are its French and its English names: reports use the English ones.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from rapidfuzz import fuzz, process

from data.catalogue import Dimension, Feature
from data.catalogue_languages import catalogue_in
from scribe.tool import Tool
from tools.search.index import Entry, Index
from tools.search.text import ENGLISH, LanguageWords
from tools.view import StudentView, clean_query, no_data

CLOSE = 80.0
"""Similarity (0 to 100) from which a name is taken to be meant."""
MEANT = 0.5
"""The same of meaning (a cosine and words in common), for what no name resembles."""
CLOSEST = 3
_WEEK_SUFFIX = re.compile(r"[_ ]?in[_ ]?week\s*\d+$", re.IGNORECASE)
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


class ReportTerm(NamedTuple):
    """A word of the weekly reports."""

    name: str
    meaning: str


def make(view: StudentView) -> Tool:
    """The tool for this view's student."""
    named: tuple[Feature | Dimension, ...] = (*view.catalogue, *view.catalogue.dimensions)
    index = Index(tuple(map(_entry, named)), view.store, language=view.language)

    def get_feature_description(feature: str) -> dict[str, Any]:
        """What a behaviour or a word of the report means, and your values of it in each week beside the class."""
        said = _WEEK_SUFFIX.sub("", clean_query(feature, "feature"))
        known = _known_names(view.language)
        asked = _spread(said, view.language)
        ranked = process.extract(asked, list(known), scorer=_score_likeness, limit=None)
        if ranked and ranked[0][1] >= CLOSE:
            return _describe(view, known[ranked[0][0]])
        hits = index.search(said)
        if hits and hits[0].fit >= MEANT:
            return _describe(view, named[hits[0].place])
        closest = [_title(named[hit.place]) for hit in hits[:CLOSEST]]
        return no_data("No behaviour or word of the report has this name.", closest=closest)

    return Tool.of(get_feature_description)


def _describe(view: StudentView, found: Feature | Dimension | ReportTerm) -> dict[str, Any]:
    match found:
        case ReportTerm():
            return found._asdict()
        case Dimension():
            labels = [feature.label for feature in view.catalogue.of_dimension(found.name)]
            return {"name": found.title, "meaning": found.definition, "measured_by": labels[:CLOSEST]}
        case Feature():
            return _describe_feature(view, found)


def _describe_feature(view: StudentView, feature: Feature) -> dict[str, Any]:
    found: dict[str, Any] = {"name": feature.label, "meaning": feature.description}
    if feature.good != "depends":
        found["better"] = feature.good
    if feature.dimension:
        found["dimension"] = view.catalogue.dimension(feature.dimension).title
    rows = {}
    for week in range(1, view.course.weeks_done + 1):
        own, median = view.own(feature, week), view.median(feature, week)
        rows[str(week)] = f"{own or 'no value'}, class {median}" if median else own or "no value"
    return found | {"yours_by_week": rows}


def _entry(named: Feature | Dimension) -> Entry:
    title, told = _title(named), named.description if isinstance(named, Feature) else named.definition
    return Entry((title,), (title, f"{title}. {told}"))


def _title(named: Feature | Dimension) -> str:
    return named.label if isinstance(named, Feature) else named.title


@cache
def _known_names(language: str) -> dict[str, Feature | Dimension | ReportTerm]:
    """All that has a name, by its names as they are compared."""
    catalogue = catalogue_in(language)
    known: dict[str, Feature | Dimension | ReportTerm] = {}
    for feature in catalogue:
        for name in (feature.name, feature.code, *feature.aliases, feature.label):
            known.setdefault(_spread(name, language), feature)
    for dimension in catalogue.dimensions:
        for name in (dimension.name, dimension.title):
            known[_spread(name, language)] = dimension
    for names, term in _read_terms(language):
        known |= {_spread(name, language): term for name in names}
    return known


def _read_terms(language: str) -> list[tuple[tuple[str, ...], ReportTerm]]:
    """The words of reports with all their names, explained in this language, or else in English."""
    folder = files(__package__)
    told = {code: folder.joinpath(f"report_words_{code}.toml") for code in (ENGLISH, language)}
    english, own = (
        tomllib.loads((told[code] if told[code].is_file() else told[ENGLISH]).read_text(encoding="utf-8"))
        for code in (ENGLISH, language)
    )
    return [
        ((*entry["names"], *own[key]["names"]), ReportTerm(entry["names"][0], own[key]["says"]))
        for key, entry in english.items()
    ]


def _spread(name: str, language: str) -> str:
    """A name as words: "NumberOfSessions" and "number_of_sessions" become "number of sessions".

    French words are stemmed and lose their accents and articles: "la regularité des horaires" is "regular horair".
    """
    spread = _WORD_START.sub(" ", name)
    if language == ENGLISH:
        return " ".join(spread.lower().split())
    words = LanguageWords(language)
    return " ".join(words.stems(words.split_telling(spread) or words.split(spread)))


def _score_likeness(asked: str, name: str, **_: object) -> float:
    """0 to 100: by letters, by words in any order, or by one being part of the other.

    Words run together cost nothing; a single word is no part that could tell features apart.
    """
    letters = fuzz.ratio(asked.replace(" ", ""), name.replace(" ", ""))
    sorted_words = fuzz.token_sort_ratio(asked, name)
    whole, part = set(asked.split()), set(name.split())
    contained = len(whole) > 1 < len(part) and (whole <= part or part <= whole)
    return max(letters, sorted_words - 1.0, CLOSE + sorted_words / 10.0 if contained else 0.0)
