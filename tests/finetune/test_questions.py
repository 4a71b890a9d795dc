"""Generated questions: what is held out stays out, the same seed draws the same, nothing is left unfilled."""

import re
from functools import cache
from importlib.resources import files

import pytest

from data.catalogue import load_catalogue
from data.course import Course
from finetune.questions import INTENTS, TAKEN, Generator, Question, split_students
from tools.reading.known_questions import leaning, wordings

FOLDER = files("tools").joinpath("questions")
SOURCES = tuple(sorted(path.name[:-4] for path in FOLDER.iterdir() if path.name.endswith(".txt")))
TABBED = ("syllabus", "follow_up", "behaviours")
BOTH_SIDES = pytest.mark.parametrize("held_out", [False, True], ids=["training", "held out"])


def drawn(course: Course, seed: int = 0, count: int = 1500, held_out: bool = False) -> list[Question]:
    return list(Generator(course, load_catalogue(), seed, held_out).draw(count))


@cache
def known(held_out: bool) -> frozenset[str]:
    """What can be asked on one side: the text of each wording without its subject."""
    lines = (line for source in SOURCES for line in wordings(source, held_out))
    return frozenset(line.split("\t")[-1] for line in lines)


def bare(wording: str) -> str:
    """A wording without what a student's way of typing changes: capitals and punctuation."""
    return re.sub(r"[^a-z0-9{}]+", " ", wording.lower()).strip()


def test_there_are_wordings_for_every_intent_on_both_sides() -> None:
    assert set(SOURCES) == {*INTENTS, "behaviours"}
    for source in SOURCES:
        training, held = (wordings(source, side) for side in (False, True))
        assert len(training) >= 60 and len(held) >= 8, source
        assert all(("\t" in line) is (source in TABBED) for line in (*training, *held))


def test_no_wording_is_on_both_sides_however_it_is_typed() -> None:
    training, held = ({bare(wording) for wording in known(side)} for side in (False, True))
    assert len(held) > 300 and not training & held


@BOTH_SIDES
def test_draws_use_the_wordings_of_their_own_side_only(dsp: Course, held_out: bool) -> None:
    for question in drawn(dsp, held_out=held_out):
        asked = (question, question.earlier) if question.earlier else (question,)
        assert {each.wording for each in asked} <= known(held_out)
        assert not {each.wording for each in asked} & known(not held_out)


def test_held_out_behaviours_are_held_out_too(dsp: Course) -> None:
    held = {line.split("\t", 1)[1].lower() for line in wordings("behaviours", True)}
    phrases = {str(q.slots["behaviour"]).lower() for q in drawn(dsp, count=4000) if "behaviour" in q.slots}
    assert len(phrases) > 50 and not phrases & held


@BOTH_SIDES
def test_the_same_seed_draws_the_same_questions(dsp: Course, held_out: bool) -> None:
    assert drawn(dsp, 5, 200, held_out) == drawn(dsp, 5, 200, held_out)
    assert drawn(dsp, 5, 200, held_out) != drawn(dsp, 6, 200, held_out)


@BOTH_SIDES
def test_every_slot_is_filled_and_the_value_kept(dsp: Course, held_out: bool) -> None:
    for question in drawn(dsp, held_out=held_out):
        assert question.text.strip() and not re.search(r"[{}\t]", question.text), question
        for name in re.findall(r"{(\w+)}", question.wording):
            assert str(question.slots[name])
            if name == "week" and question.week > dsp.weeks:  # the others may be named in words
                assert re.search(rf"(?<!\d){question.week}(?!\d)", question.text), question


def test_the_mixture_has_every_intent_and_follow_ups_by_their_weight(dsp: Course) -> None:
    questions = drawn(dsp, count=4000)
    follow_ups = [question for question in questions if question.earlier]
    assert {question.intent for question in questions} == set(INTENTS) - {"follow_up"}
    share = INTENTS["follow_up"] / sum(INTENTS.values())
    assert len(follow_ups) / len(questions) == pytest.approx(share, rel=0.2)


def test_a_follow_up_knows_what_it_takes_from_the_question_before(dsp: Course) -> None:
    inherited, moved = 0, set[int]()
    lines = [leaning(line) for line in wordings("follow_up", False)]
    later, sooner = ({said for kind, _, said in lines if kind == again} for again in ("same_later", "same_earlier"))
    for question in drawn(dsp, count=4000):
        if question.earlier is None:
            continue
        assert question.earlier.earlier is None
        taken = TAKEN.get(question.intent)
        if taken and f"{{{taken}}}" not in question.wording and not question.slots.keys() & {"topic"}:
            further = (question.wording in later and 1) or (question.wording in sooner and -1) or 0
            assert question.slots[taken] == question.earlier.week + further and question.week <= dsp.weeks
            inherited += 1
            moved.add(further)
    assert inherited > 50 and moved == {0, 1, -1}


def test_weeks_are_mostly_those_the_course_has_and_sometimes_not(dsp: Course) -> None:
    asked = [question for question in drawn(dsp, count=4000) if "week" in question.slots]
    beyond = [question for question in asked if question.week > dsp.weeks]
    assert 0 < len(beyond) < len(asked) / 10
    assert min(question.week for question in asked) == 1
    coming = [question.week for question in asked if question.intent == "next_week" and not question.earlier]
    assert min(coming) > dsp.weeks_done


def test_students_are_held_out_by_their_place_and_never_on_both_sides(dsp: Course) -> None:
    training, held = split_students(list(dsp.students))
    assert not set(training) & set(held)
    assert sorted((*training, *held)) == sorted(dsp.students)
    assert len(held) == len(dsp.students) // 10
    assert set(split_students(list(dsp.students)[::-1])[1]) == set(held)
