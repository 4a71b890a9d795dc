"""What the textbook says of a concept, and in which week and section."""

from typing import Any

from data.course import Section
from scribe.tool import Tool
from tools.search.corpus import open_corpus
from tools.search.text import cut_explanation, shorten, split_sentences
from tools.view import StudentView, clean_query, no_data

POOR = 0.47
"""Less similar than this is another subject, or one of this field that the book does not cover."""
WORDS = 70
"""Words of a passage that are shown."""


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it is the same for every student."""
    course = view.course

    def textbook_search(query: str) -> dict[str, Any]:
        """Explanation of a concept from the textbook, with the week in which it is taught."""
        hits = open_corpus(course, view.store).search_sections(clean_query(query))
        named = [_name(course.textbook[hit.place]) for hit in hits[:3]]
        if not hits or not (hits[0].named or hits[0].fit >= POOR):
            return no_data("The textbook has nothing on this.", closest_sections=named)
        section = course.textbook[hits[0].place]
        passage = shorten(" ".join(split_sentences(section.text)), WORDS)
        return {"section": named[0], "week": section.week, "passage": passage, "also": named[1:]}

    return Tool.of(textbook_search)


def _name(section: Section) -> str:
    return f"{section.id} {cut_explanation(section.title)}"
