"""Which side of learning behaviour a plan or wish concerns, how often it counts in this course, and two others."""

from typing import Any

from data.catalogue import Catalogue, Dimension
from scribe.tool import Tool
from tools.search.index import Entry, Index
from tools.search.text import strip_markdown
from tools.view import StudentView, clean_query, no_data

POOR = 0.3
POOR_BY_WORDS = 0.4
"""The same in a language that the embedder was not made for, where words count too."""
POOL = 3
"""Passages averaged per dimension: one alone is too often a chance resemblance."""
FEATURES, OTHERS = 3, 2


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it says nothing of any student."""
    catalogue, read = view.catalogue, view.language in view.store.embedder.languages
    entries = tuple(_entry(catalogue, each) for each in catalogue.dimensions)
    index = Index(entries, view.store, POOL if read else 1, view.language, by_words=not read)
    poor = POOR if read else POOR_BY_WORDS

    def impact_of_student_behaviors(query: str) -> dict[str, Any]:
        """Which side of learning behaviour a habit or plan belongs to, how often it counts, and two others."""
        hits = index.search(clean_query(query))
        found = [catalogue.dimensions[hit.place] for hit in hits]
        core = [each for each in found if each.core]
        if hits[0].score < poor:
            known = {each.title: each.definition for each in core}
            return no_data("No side of learning behaviour fits this.", known=known)
        best = found[0]
        others = [each for each in core if each is not best][:OTHERS]
        return {
            "dimension": best.title,
            "definition": strip_markdown(best.definition),
            "counted_for_students": _share(view, best),
            "behaviours": _weigh(view, best),
            "others": {each.title: each.definition for each in others},
        }

    return Tool.of(impact_of_student_behaviors)


def _share(view: StudentView, dimension: Dimension) -> str:
    """For how many students of the course one of its behaviours had influence."""
    names = {feature.name for feature in view.catalogue.of_dimension(dimension.name)}
    share = view.classmates.share_influenced(names)
    return "unknown" if share is None else f"{round(100 * share)} percent"


def _weigh(view: StudentView, dimension: Dimension) -> dict[str, str]:
    """Its behaviours that had influence for most students, with their share."""
    features = view.catalogue.of_dimension(dimension.name)
    shares = {feature.label: view.classmates.share_influenced([feature.name]) or 0.0 for feature in features}
    most = sorted(filter(shares.__getitem__, shares), key=lambda label: -shares[label])[:FEATURES]
    return {label: f"{round(100 * shares[label])} percent" for label in most}


def _entry(catalogue: Catalogue, dimension: Dimension) -> Entry:
    features = catalogue.of_dimension(dimension.name)
    described = [f"{feature.label}. {feature.description}" for feature in features]
    # A behaviour's own name decides.
    return Entry((dimension.title, *(each.label for each in features)), (dimension.definition, *described))
