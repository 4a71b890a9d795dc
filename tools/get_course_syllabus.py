"""The rules of the course: grading, deadlines, exams, help."""

from typing import Any

from data.course import Course, Section
from scribe.tool import Tool
from tools.arguments import no_data, words_of
from tools.details.rules_sentences import Found, Sentences
from tools.phrases import phrases
from tools.reading.known_questions import looked_up
from tools.search.index import Entry, Index
from tools.search.vault import Vault
from tools.wording import plain, sentences, shortened

POOR = 0.26
"""Less similar than this is about something else."""
POOL = 3
"""Passages averaged per section: a single sentence often resembles a question by chance."""


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.spoken)
    rules, language = course.rules_in(say.language)
    index = Index(tuple(_entry(section) for section in rules), vault, POOL, language)
    details = Sentences(rules, vault, language)

    def get_course_syllabus(query: str, asked: str = "") -> dict[str, Any]:
        """Rules of the course on grading, pass mark, homework, quizzes, exams, deadlines, retakes or help."""
        hits = index.search(looked_up(words_of(query, say), language))
        titles = [rules[hit.place].title for hit in hits[:3]]
        if not hits or hits[0].score < POOR:
            named = [say.named(title) for title in titles]
            closest = say("any.sections", titles=say.listed(named)) if named else say("any.team")
            return no_data(say("rules.nothing"), closest)
        section = rules[hits[0].place]
        found = details.answering(asked, hits[0].place)
        if found:
            section, says = rules[found.section], _quoted(found)
        else:
            # The first passages are the sentences, in their order.
            told = len(sentences(section.text))
            says = _said(section, [number for number in hits[0].passages if number < told])
        where = say("rules.where", title=say.named(section.title))
        also = [title for title in titles if title != section.title][:2]
        return {"says": say.quoted("rules", says, language), "where": where, "also": also}

    return Tool.of(get_course_syllabus)


def _entry(section: Section) -> Entry:
    # No names: "my homework was graded wrong" is a regrade, though Homework is a section too.
    told = [f"{section.title}. {sentence}" for sentence in sentences(section.text)]
    return Entry((), (*told, section.title, f"{section.title}. {plain(section.text)}"))


def _quoted(found: Found) -> str:
    return " ".join(shortened(sentence, 40) for sentence in found.sentences)


def _said(section: Section, ranked: list[int]) -> str:
    """The first sentence and the one that fits the question best, or the second if that is the first."""
    told = sentences(section.text)
    if len(told) < 2:
        return shortened(" ".join(told), 60)
    return f"{shortened(told[0], 40)} {shortened(told[ranked[0] or 1], 40)}"
