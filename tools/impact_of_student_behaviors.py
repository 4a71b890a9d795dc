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
from tools.search.index import Entry, Index
from tools.search.vault import Vault
from tools.wording import listed

POOR = 0.3
POOL = 3
PARTS = ((0.9, "nearly all"), (0.6, "most"), (0.4, "about half of the"), (0.15, "some"))
"""Passages averaged per dimension: one alone is too often a chance resemblance."""


def make(course: Course, catalogue: Catalogue, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    entries = tuple(_entry(catalogue, each) for each in catalogue.dimensions)
    index = Index(entries, vault, POOL, by_words=False)

    def impact_of_student_behaviors(query: str) -> dict[str, Any]:
        """Whether a behaviour or plan would help, with advice and two alternatives."""
        hits = index.search(words_of(query))
        dimensions = [catalogue.dimensions[hit.place] for hit in hits]
        core = [each.name.capitalize() for each in dimensions if each.core]
        instead = f"Ask about {listed([name.lower() for name in core[:3]], 'or')}."
        if hits[0].score < POOR:
            return no_data("This is not one of the behaviours that were measured.", instead)
        best = dimensions[0]
        if not best.core:
            return no_data(f"{best.definition} It says little about passing.", instead)
        told: dict[str, Any] = {"dimension": core[0], "says": f"This is about {core[0]}. {best.definition}"}
        share = ClassView(course).share_influenced(_features(catalogue, best))
        if share is not None:
            told["matters"] = f"In this course it matters for {_how_many(share)} students."
        return told | {"advice": best.advice, "alternatives": core[1:3]}

    return Tool.of(impact_of_student_behaviors)


def _how_many(share: float) -> str:
    """A share (0 to 1) in words: the same figure for everybody would be learned by heart, and be wrong elsewhere."""
    return next((words for least, words in PARTS if share >= least), "few")


def _features(catalogue: Catalogue, dimension: Dimension) -> frozenset[str]:
    return frozenset(feature.name for feature in catalogue.of_dimension(dimension.name))


def _entry(catalogue: Catalogue, dimension: Dimension) -> Entry:
    features = catalogue.of_dimension(dimension.name)
    described = [f"{feature.label}. {feature.description}" for feature in features]
    return Entry((dimension.name,), (dimension.definition, *_sayings().get(dimension.name, ()), *described))


@cache
def _sayings() -> dict[str, list[str]]:
    """Per dimension, how students put it."""
    return tomllib.loads(files(__package__).joinpath("sayings.toml").read_text(encoding="utf-8"))
