"""The teacher at work: it drives the real agent over the real tools of the DSP course."""

import pytest

from finetune.questions import INTENTS, Generator, Question
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.table import ACCEPTABLE, SCRIPTS
from scribe.grounding import Grounding
from scribe.trajectory import Stop, Trajectory
from tools import lexicon

STUDENTS = ("s001", "s057", "s120", "s200")
EACH = 6


def questions(room: Classroom, intent: str, count: int = EACH, seed: int = 0) -> list[Question]:
    generator = Generator(room.course, room.catalogue, seed)
    if intent != "follow_up":
        return [generator.one(intent) for _ in range(count)]
    return [generator.follow_up() for _ in range(count * 4)]


def unanswerable(question: Question) -> bool:
    """Whether it asks what "that" means after an answer that may have named no behaviour."""
    return question.intent == "feature_meaning" and "feature" not in question.slots


def answered(
    room: Classroom, intent: str, slips: float = 0.0, seed: int = 0
) -> list[tuple[Question, Trajectory | None]]:
    theories = tuple(room.course.student(STUDENTS[0]).reports)
    return [
        (question, room.answer(question, student, theories[place % len(theories)], slips))
        for student in STUDENTS
        for place, question in enumerate(questions(room, intent, seed=seed))
    ]


def test_there_is_a_script_for_every_intent() -> None:
    assert {*SCRIPTS, "follow_up"} == set(INTENTS)
    assert set(ACCEPTABLE) <= set(SCRIPTS)


@pytest.mark.parametrize("intent", INTENTS)
def test_every_question_is_answered_at_once_and_what_is_said_is_supported(room: Classroom, intent: str) -> None:
    check = Grounding(lexicon.make(room.course, room.catalogue))
    for question, done in answered(room, intent):
        if done is None:
            assert unanswerable(question), question
            continue
        assert done.stop is Stop.ANSWERED and done.answer
        assert not done.faults and all(seen.ok for act in done.acts for seen in act.observations), question
        assert not check(done, done.answer)
        first = done.acts[0].calls[0].name if done.acts else None
        wanted = ACCEPTABLE.get(question.intent, frozenset())
        if first is not None:
            assert first in wanted
        else:  # nothing to look up, or not about a week that the course has
            assert not wanted or question.week > room.course.weeks


def test_no_answer_shows_a_slip_of_the_template(room: Classroom) -> None:
    for intent in INTENTS:
        for question, done in answered(room, intent, seed=1):
            if done is None:
                assert unanswerable(question), question
                continue
            said = done.answer or ""
            assert said == " ".join(said.split()), question
            assert said[0].isupper() and said[-1] in ".!?)", question
            assert not any(odd in said for odd in ("None", "{", "}", "..", " .", "  ", "[")), said


@pytest.mark.parametrize("intent", ["week_why", "grade", "prerequisites", "concept", "next_week"])
def test_a_slip_is_seen_and_put_right(room: Classroom, intent: str) -> None:
    recovered = 0
    for (question, done), (_, clean) in zip(answered(room, intent, slips=1.0), answered(room, intent), strict=True):
        if done is None:
            continue  # the wrong number happened to be supported, and such a lesson is thrown away
        assert clean is not None and done.answer == clean.answer
        refused = [act for act in done.acts if not act.observations[0].ok]
        assert len(refused) == len(clean.acts) and all("tools" in act.observations[0].content for act in refused)
        assert len(done.faults) <= 1
        if done.faults:
            assert "supports" in done.faults[0].complaint, question
        recovered += bool(done.faults and refused)
    assert recovered >= len(STUDENTS)


def test_an_unasked_mistake_of_the_teacher_is_no_lesson(room: Classroom) -> None:
    """Every lesson that is kept ends as the teacher meant it to."""
    for intent in ("week_topics", "syllabus"):
        for (_, done), (_, clean) in zip(answered(room, intent, slips=0.5), answered(room, intent), strict=True):
            assert done is None or (clean is not None and done.answer == clean.answer)


def test_a_follow_up_is_asked_after_the_answer_before_it(room: Classroom) -> None:
    kept = [(question, done) for question, done in answered(room, "follow_up") if done]
    assert len(kept) > 60
    for question, done in kept[:30]:
        assert question.earlier is not None
        (before,) = done.task.history
        assert before.question == question.earlier.text and before.answer
        alone = room.answer(question.earlier, done.task.student, done.task.theory)
        assert alone is not None and alone.answer == before.answer
