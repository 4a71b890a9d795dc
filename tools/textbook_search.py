"""Where the textbook explains a topic, in which week, and its first words on it."""

from typing import Any

from data.course import Course, Section
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.search.material import material
from tools.search.vault import Vault
from tools.wording import head, listed, sentences, shortened

POOR = 0.47
"""Less similar than this is another subject, or one of this field that the book does not cover."""


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""

    def textbook_search(query: str) -> dict[str, Any]:
        """Explanation of a concept or topic and the week in which it is taught."""
        subject = words_of(query)
        hits = material(course, vault).search_sections(subject)
        named = [_named(course.textbook[hit.place]) for hit in hits[:3]]
        if not hits or (hits[0].fit < POOR and not hits[0].named):
            closest = f"Closest sections: {listed(named)}." if named else "Ask the course team."
            return no_data(f"The textbook has no section on {shortened(subject, 8)}.", closest)
        section = course.textbook[hits[0].place]
        says = shortened(next(iter(sentences(section.text)), ""), 45)
        where = f"It is taught in week {section.week}, in section {named[0]} of the textbook."
        return {"week": section.week, "says": says, "where": where, "also": named[1:]}

    return Tool.of(textbook_search)


def _named(section: Section) -> str:
    return f"{section.id} {head(section.title)}"
