"""Danger is answered with people, in the language of the question, before any model is asked."""

import pytest

from app import build
from app.distress import FRENCH, answer_to
from app.settings import Settings
from scribe.backend import ScriptedBackend
from scribe.trajectory import Answer, Stop, Trajectory

ENGLISH = "English"


@pytest.mark.parametrize(
    ("question", "language", "begins"),
    [
        ("sometimes i just want to die", ENGLISH, "This sounds very hard"),
        ("I dont want to live anymore, this grade...", ENGLISH, "This sounds very hard"),
        ("i keep hurting myself", ENGLISH, "This sounds very hard"),
        ("i want to kill myself", FRENCH, "This sounds very hard"),
        ("j'ai envie de mourir", FRENCH, "Ce que vous traversez"),
        ("J’ai plus envie de vivre", ENGLISH, "Ce que vous traversez"),
        ("suicide", FRENCH, "Ce que vous traversez"),
        ("suicide", ENGLISH, "This sounds very hard"),
    ],
)
def test_danger_is_seen_and_answered_in_its_language(question: str, language: str, begins: str) -> None:
    said = answer_to(question, language, "Room 12.")
    assert said and said.startswith(begins) and said.endswith("Room 12.")


@pytest.mark.parametrize(
    "question",
    [
        "this course is killing me",
        "i could die of embarrassment, what went wrong in week 5?",
        "does cutting videos short hurt my grade",
        "je suis mort de fatigue",
        "dois-je me faire aider pour la semaine 3 ?",
        "",
    ],
)
def test_everyday_words_are_no_danger(question: str) -> None:
    assert answer_to(question, ENGLISH) is None


def test_no_model_is_asked() -> None:
    backend = ScriptedBackend(["never said"])
    settings = Settings().changed("answer", help="Ask Ana, room 12.")
    assistant = build.assemble(settings, build.course(settings, "dsp"), backend)
    student = next(iter(assistant.course.students))
    ended = assistant.agent(student).run(Trajectory(assistant.task(student, "i have dark thoughts")))
    assert ended.stop is Stop.ANSWERED and isinstance(ended.steps[-1], Answer)
    assert ended.answer and ended.answer.endswith("Ask Ana, room 12.") and not backend.prompts
