"""The rules of the demo courses, as students ask for them: by a section's title, and by what they mean."""

from functools import cache

import pytest

from data.bundle import find
from scribe.tool import Tool
from tools.embedding.embedders import MiniLM
from tools.get_course_syllabus import make
from tools.search.vector_store import VectorStore
from tools.view import StudentView


@cache
def rules(course: str, language: str) -> Tool:
    """Vectors where they are always kept: to embed the rules anew takes seconds."""
    found = find(course)
    return make(StudentView(found, next(iter(found.students.values())), VectorStore(MiniLM()), language))


@pytest.mark.parametrize(("name", "language"), [("dsp", "en"), ("geo", "fr")])
def test_every_section_is_found_by_its_title(name: str, language: str) -> None:
    sections, _ = find(name).rules_in(language)
    assert len(sections) > 3
    missed = [
        each.title for each in sections if each.title not in rules(name, language).run(query=each.title)["sections"]
    ]
    assert not missed


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("how late may I hand in homework?", "late"),
        ("what do I need to pass the course", "pass"),
        ("can I repeat the final exam", "exam"),
    ],
)
def test_a_question_in_a_students_words_is_answered_with_the_rule_itself(query: str, word: str) -> None:
    told = rules("dsp", "en").run(query=query)
    assert any(word in text.lower() for text in told["sections"].values())
    assert not set(told["also"]) & set(told["sections"])


@pytest.mark.parametrize("query", ["how do I bake sourdough bread", "zzz qqq"])
def test_what_the_rules_do_not_treat_is_not_forced_into_a_section(query: str) -> None:
    told = rules("dsp", "en").run(query=query)
    assert list(told) == ["no_data", "closest_sections"]


def test_a_course_in_french_has_its_rules_in_both_languages() -> None:
    french, english = (rules("geo", language).run(query="quiz")["sections"] for language in ("fr", "en"))
    assert french and english and french != english
