"""Which side of learning behaviour a plan or wish concerns, and how often that side matters here."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from data.catalogue import Catalogue, Dimension
from data.course import Course
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.class_view import ClassView
from tools.phrases import ENGLISH, Phrases, phrases
from tools.search.index import Entry, Index
from tools.search.vault import Vault

POOR = 0.3
POOR_BY_WORDS = 0.4
"""The same in a language that the embedder was not made for, where words count too."""
POOL = 3
"""Passages averaged per dimension: one alone is too often a chance resemblance."""
PARTS = (90, 60, 40, 15)
"""Percent of the students from which another word is used."""


def make(course: Course, catalogue: Catalogue, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student. The catalogue is in the course's language."""
    say = phrases(course.language)
    entries = tuple(_entry(catalogue, each, say.language) for each in catalogue.dimensions)
    read = say.language in vault.embedder.languages
    index = Index(entries, vault, POOL if read else 1, say.language, by_words=not read)
    poor = POOR if read else POOR_BY_WORDS

    def impact_of_student_behaviors(query: str) -> dict[str, Any]:
        """Whether a behaviour or plan would help, with advice and two alternatives."""
        hits = index.search(words_of(query, say))
        dimensions = [catalogue.dimensions[hit.place] for hit in hits]
        core = [each for each in dimensions if each.core]
        instead = say("impact.instead", dimensions=say.listed([each.the for each in core[:3]], "or"))
        if hits[0].score < poor:
            return no_data(say("impact.nothing"), instead)
        best = dimensions[0]
        if not best.core:
            return no_data(say("impact.little", definition=best.definition), instead)
        says = say("impact.says", title=best.title, the=best.the, definition=best.definition)
        told: dict[str, Any] = {"dimension": best.title, "says": says}
        share = ClassView(course).share_influenced(_features(catalogue, best))
        if share is not None:
            told["matters"] = say("impact.matters", students=_how_many(say, share))
        return told | {"advice": best.advice, "alternatives": [each.title for each in core[1:3]]}

    return Tool.of(impact_of_student_behaviors)


def _how_many(say: Phrases, share: float) -> str:
    """A share (0 to 1) in words: the same figure for everybody would be learned by heart, and be wrong elsewhere."""
    return say(f"impact.part_{next((least for least in PARTS if share >= least / 100), 0)}")


def _features(catalogue: Catalogue, dimension: Dimension) -> frozenset[str]:
    return frozenset(feature.name for feature in catalogue.of_dimension(dimension.name))


def _entry(catalogue: Catalogue, dimension: Dimension, language: str) -> Entry:
    features = catalogue.of_dimension(dimension.name)
    described = [f"{feature.label}. {feature.description}" for feature in features]
    # Where words count, a behaviour's own name decides.
    names = (dimension.title, *(each.label for each in features)) if language != ENGLISH else (dimension.title,)
    return Entry(names, (dimension.definition, *_sayings(language).get(dimension.name, ()), *described))


@cache
def _sayings(language: str) -> dict[str, list[str]]:
    """Per dimension, how students put it in this language."""
    name = "sayings.toml" if language == ENGLISH else f"sayings_{language}.toml"
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
