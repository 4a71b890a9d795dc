"""Where the textbook explains a topic, in which week, its first words on it and what answers the question."""

from typing import Any

from data.course import Course, Section
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.details.second_sentence import LONGEST, second_sentence
from tools.get_feature_description import glossary
from tools.phrases import Phrases, phrases
from tools.search.material import material
from tools.search.own_words import found
from tools.search.vault import Vault
from tools.wording import head, sentences, shortened

POOR = 0.47
"""Less similar than this is another subject, or one of this field that the book does not cover."""


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.spoken)

    def textbook_search(query: str, asked: str = "") -> dict[str, Any]:
        """Explanation of a concept or topic and the week in which it is taught."""
        book = material(course, vault)
        best = found(book.index, book.search_sections, words_of(query, say), asked, POOR)
        subject, hits = best.subject, best.hits
        named = [_named(course.textbook[hit.place], say) for hit in hits[:3]]
        if not best.fits(POOR):
            words = glossary(say.language)
            if word := words.called(subject) or words.standing_in(asked):  # it is the report's word, not the course's
                return no_data(say("book.report_word"), word.says)
            closest = say("any.sections", titles=say.listed(named)) if named else say("any.team")
            return no_data(say("book.nothing", subject=shortened(subject, 8)), closest)
        section = course.textbook[hits[0].place]
        first = shortened(next(iter(sentences(section.text)), ""), LONGEST)
        says = " ".join(filter(None, (first, second_sentence(section, asked, course.language, vault))))
        where = say("book.where", week=section.week, section=named[0])
        quoted = say.quoted("book", says, course.language)
        return {"week": section.week, "says": quoted, "where": where, "also": named[1:]}

    return Tool.of(textbook_search)


def _named(section: Section, say: Phrases) -> str:
    return say("book.section", id=section.id, title=head(section.title))
