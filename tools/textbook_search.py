"""Where the textbook explains a topic, in which week, and its first words on it."""

from typing import Any

from data.course import Course, Section
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.phrases import Phrases, phrases
from tools.search.material import material
from tools.search.vault import Vault
from tools.wording import head, sentences, shortened

POOR = 0.47
"""Less similar than this is another subject, or one of this field that the book does not cover."""


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.language)

    def textbook_search(query: str) -> dict[str, Any]:
        """Explanation of a concept or topic and the week in which it is taught."""
        subject = words_of(query, say)
        hits = material(course, vault).search_sections(subject)
        named = [_named(course.textbook[hit.place], say) for hit in hits[:3]]
        if not hits or (hits[0].fit < POOR and not hits[0].named):
            closest = say("any.sections", titles=say.listed(named)) if named else say("any.team")
            return no_data(say("book.nothing", subject=shortened(subject, 8)), closest)
        section = course.textbook[hits[0].place]
        says = shortened(next(iter(sentences(section.text)), ""), 45)
        where = say("book.where", week=section.week, section=named[0])
        return {"week": section.week, "says": says, "where": where, "also": named[1:]}

    return Tool.of(textbook_search)


def _named(section: Section, say: Phrases) -> str:
    return say("book.section", id=section.id, title=head(section.title))
