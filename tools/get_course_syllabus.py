"""The rules of the course, as their sections stand: grading, deadlines, exams, help."""

from typing import Any

from data.course import Section
from scribe.tool import Tool
from tools.search.index import Entry, Index
from tools.search.text import split_sentences, strip_markdown
from tools.view import StudentView, clean_query, no_data

POOR = 0.26
"""Less similar than this is about something else."""
POOL = 3
"""Passages averaged per section: a single sentence often resembles a question by chance."""
NEAR = 0.9
"""Of the best section's score; a second section from here on is shown as well."""
CLOSEST = 3


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it is the same for every student."""
    rules, language = view.course.rules_in(view.language)
    index = Index(tuple(_entry(section) for section in rules), view.store, POOL, language)

    def get_course_syllabus(query: str) -> dict[str, Any]:
        """Rules of the course on a subject: grading, pass mark, homework, quizzes, exams, deadlines, retakes, help."""
        hits = index.search(clean_query(query))
        titles = [rules[hit.place].title for hit in hits[:CLOSEST]]
        if not hits or hits[0].score < POOR:
            return no_data("The rules say nothing on this.", closest_sections=titles)
        shown = [hit for hit in hits[:2] if hit.score >= NEAR * hits[0].score]
        sections = {rules[hit.place].title: strip_markdown(rules[hit.place].text) for hit in shown}
        return {"sections": sections, "also": [title for title in titles if title not in sections]}

    return Tool.of(get_course_syllabus)


def _entry(section: Section) -> Entry:
    # No names: "my homework was graded wrong" is a regrade, though Homework is a section too.
    told = [f"{section.title}. {sentence}" for sentence in split_sentences(section.text)]
    return Entry((), (*told, section.title, f"{section.title}. {strip_markdown(section.text)}"))
