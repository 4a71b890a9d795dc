"""What the rules say to a student's own words: the detail that was asked, and not only the section's beginning."""

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from data.bundle import find
from scribe.tool import Tool
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tools.embedder import MiniLM
from tools.get_course_syllabus import make
from tools.search.vault import Vault

DETAILS = tomllib.loads(Path(__file__).with_name("syllabus_details.toml").read_text("utf-8"))
FLOORS = {"en": 0.9, "fr": 0.85}
"""The share of questions whose answer must be among what is said, per language."""


@pytest.fixture
def rules(tmp_path: Path) -> Tool:
    return make(course_with(student()), Vault(ScriptedEmbedder(), tmp_path))


def say(tool: Tool, **arguments: str) -> dict[str, Any]:
    return dict(tool.run(**arguments))


def test_the_detail_that_the_student_asks_comes_first(rules: Tool) -> None:
    told = say(rules, query="final exam", asked="hey, which notes may I bring?")
    assert told["says"].startswith("The rules of the course say: You may bring notes.")
    assert told["where"] == "You find this in the syllabus under Final exam."


def test_a_detail_is_found_in_another_section_than_the_query_names(rules: Tool) -> None:
    told = say(rules, query="final exam", asked="I am sick. Whom do I write to, since I will be late?")
    assert "say: If you are ill, write to the team before the deadline." in told["says"]
    assert told["where"].endswith("under Late policy.")
    assert told["also"][0] == "Final exam" and "Late policy" not in told["also"]


@pytest.mark.parametrize("asked", ["", " ", "?!", "zzz qqq", "I feel terrible and my dog ran away"])
def test_what_names_nothing_leaves_the_answer_to_the_query(rules: Tool, asked: str) -> None:
    query = "late homework when I am ill before the deadline"
    assert say(rules, query=query, asked=asked) == say(rules, query=query)


@pytest.mark.parametrize("asked", ["é" * 10_000, "\0?a", "\ud800 quiz", "🦆 homework"])
def test_no_question_breaks_it(rules: Tool, asked: str) -> None:
    assert say(rules, query="late homework", asked=asked)["says"]


def test_students_are_told_the_sentence_with_the_detail() -> None:
    # Where vectors are always kept: to embed the rules of four courses anew takes seconds.
    vault = Vault(MiniLM())
    right: dict[str, list[bool]] = defaultdict(list)
    for name, rows in DETAILS.items():
        course, language = name.split("_")
        tool = make(find(course), vault)
        right[language] += [answer in say(tool, query=query, asked=asked)["says"] for asked, query, answer in rows]
    shares = {language: sum(found) / len(found) for language, found in right.items()}
    assert all(shares[language] >= floor for language, floor in FLOORS.items()), shares


def test_a_sentence_that_points_back_is_told_after_the_one_it_points_at() -> None:
    geo = find("geo")
    search = make(geo, Vault(MiniLM()))
    says = say(search, query="quizzes and attempts", asked="quand ferment les quiz ?")["says"]
    assert says.index("Les quiz des semaines 2 à 5") < says.index("Ils ferment le lundi à midi")
