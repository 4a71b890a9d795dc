"""Which side of learning behaviour a plan or wish concerns, and how often that side matters here."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from data.catalogue import Catalogue, Dimension, Feature
from data.course import Course, Student
from scribe.tool import Tool
from tools.arguments import LONGEST_QUERY, no_data, words_of
from tools.class_view import ClassView
from tools.details.named_behaviours import named
from tools.details.own_value import OwnValue
from tools.phrases import ENGLISH, Phrases, phrases
from tools.search.index import Entry, Index
from tools.search.vault import Vault
from tools.wording import unquoted

POOR = 0.3
POOR_BY_WORDS = 0.4
"""The same in a language that the embedder was not made for, where words count too."""
POOL = 3
"""Passages averaged per dimension: one alone is too often a chance resemblance."""
PARTS = (90, 60, 40, 15)
"""Percent of the students from which another word is used."""


def make(course: Course, student: Student, catalogue: Catalogue, vault: Vault) -> Tool:
    """The tool for this student. The catalogue is in the course's language."""
    say = phrases(course.spoken)
    entries = tuple(_entry(catalogue, each, say.language) for each in catalogue.dimensions)
    read = say.language in vault.embedder.languages
    index = Index(entries, vault, POOL if read else 1, say.language, by_words=not read)
    plans = _Plans(course, student, catalogue, say, index, POOR if read else POOR_BY_WORDS)

    def impact_of_student_behaviors(query: str, asked: str = "") -> dict[str, Any]:
        """Whether a behaviour or plan would help, with advice and two alternatives."""
        return plans.told(words_of(query, say), unquoted(asked))

    return Tool.of(impact_of_student_behaviors)


@dataclass(frozen=True, slots=True)
class _Plans:
    """What is told of one student's plans."""

    course: Course
    student: Student
    catalogue: Catalogue
    say: Phrases
    index: Index
    poor: float

    def told(self, query: str, asked: str) -> dict[str, Any]:
        say, said = self.say, (query, asked) if any(map(str.isalnum, asked)) else (query,)
        # A query is often the question's first words; the whole may tell more, or only more around it.
        hits = max((self.index.search(each[:LONGEST_QUERY]) for each in said), key=lambda hits: hits[0].score)
        found = [self.catalogue.dimensions[hit.place] for hit in hits]
        feature = self._named(query, asked)
        if feature and feature.dimension:  # what is called by its name needs no resemblance
            found.sort(key=lambda each: each.name != feature.dimension)
        best, core = found[0], [each for each in found if each.core]
        instead = say("impact.instead", dimensions=say.listed([each.the for each in core[:3]], "or"))
        if feature is None and hits[0].score < self.poor:
            return no_data(say("impact.nothing"), instead)
        yours = self._yours(feature, best, f"{query} {asked}")
        if not best.core:
            known = feature is not None and OwnValue(self.course, self.student, say).latest(feature) is not None
            key = "impact.little_of" if known else "impact.little"
            return no_data(say(key, definition=best.definition, yours=yours).rstrip(), instead)
        says = say("impact.says", title=best.title, the=best.the, definition=best.definition)
        told: dict[str, Any] = {"dimension": best.title, "says": says} | ({"yours": yours} if yours else {})
        share = ClassView(self.course).share_influenced(_features(self.catalogue, best))
        if share is not None:
            told["matters"] = say("impact.matters", the=best.the, students=_how_many(say, share))
        others = [each.title for each in core if each is not best][:2]
        return told | {"advice": best.advice, "alternatives": others}

    def _named(self, query: str, asked: str) -> Feature | None:
        """The behaviour that the query names, or else the question, in more than a word for videos or quizzes."""
        for text in (query, asked):
            found = named(text, self.catalogue, self.say.language, lambda one: one.dimension is not None)
            if found and not found[0].broad:
                return found[0].feature
        return None

    def _yours(self, feature: Feature | None, best: Dimension, text: str) -> str:
        """The student's latest value of what is named, or else of what tells most of this side of behaviour."""
        own, features = OwnValue(self.course, self.student, self.say), self.catalogue.of_dimension(best.name)
        broad = named(text, self.catalogue, self.say.language, lambda one: one in features)
        wanted = (feature, *(each.feature for each in broad), own.most_telling(features))
        for one in wanted:
            week = own.latest(one) if one else None
            if one and week:
                return own.told([one], week)
        return ""


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
