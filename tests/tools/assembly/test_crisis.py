"""Danger is answered with people, in the language of the question, before any model is asked."""

import pytest

from scribe.trajectory import Answer, Exchange, Fault, Stop, Trajectory
from tests.app.told import final
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.assistant import Assistant, assemble, find_course
from tools.assembly.crisis import FRENCH, answer_to
from tools.assembly.settings import AssistantSettings

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
        ("i am thinking of ending it all, week 5 was the last straw", ENGLISH, "This sounds very hard"),
        ("everybody would be better off, and I better off dead", FRENCH, "This sounds very hard"),
        ("je pense à me faire du mal", FRENCH, "Ce que vous traversez"),
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


def assistant(*turns: str, help: str = "") -> Assistant:
    """Of the course dsp, with a model that says these turns."""
    settings = AssistantSettings().with_changes("answer", help=help)
    return assemble(settings, find_course(settings, "dsp"), ScriptedBackend(turns))


def ask(parts: Assistant, question: str, *history: Exchange) -> Trajectory:
    """What comes of a question of one of the students."""
    return parts.agent("s033").run(Trajectory(parts.task("s033", question, history=history)))


def test_no_model_is_asked() -> None:
    parts = assistant("never said", help="Ask Ana, room 12.")
    ended = ask(parts, "i have dark thoughts")
    assert ended.stop is Stop.ANSWERED and isinstance(ended.steps[-1], Answer)
    assert ended.answer and ended.answer.endswith("Ask Ana, room 12.") and not asked_of(parts)


def test_danger_in_a_later_question_of_a_conversation_is_seen_too() -> None:
    parts = assistant("never said")
    ended = ask(parts, "then there is no reason to live", Exchange("will I pass?", "Not any more."))
    assert ended.answer == answer_to("suicide", ENGLISH) and not asked_of(parts)


def test_any_other_question_goes_to_the_model_also_after_a_conversation_on_danger() -> None:
    parts = assistant(final("Hello."))
    ended = ask(parts, "thank you", Exchange("i want to die", "Talk to somebody."))
    assert ended.answer == "Hello." and len(asked_of(parts)) == 1


def test_a_question_that_is_under_way_or_has_ended_is_left_to_the_agent() -> None:
    parts = assistant(final("So."), final("Never said."))
    begun = Trajectory(parts.task("s033", "i want to die")).then(Fault("?", "No."))
    done = parts.agent("s033").step(begun)
    assert done.answer == "So." and parts.agent("s033").step(done) is done
    assert len(asked_of(parts)) == 1


def asked_of(parts: Assistant) -> list[object]:
    """The prompts that the scripted model was given."""
    assert isinstance(parts.backend, ScriptedBackend)
    return list(parts.backend.prompts)
