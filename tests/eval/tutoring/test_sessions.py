"""Dialogues, moderators and the tests before and after."""

import json
from collections.abc import Sequence

import pytest

from eval.tutoring.protocol.bounds import ExplainingTutor, IdleTutor
from eval.tutoring.protocol.moderator import ModelModerator, TestsModerator, read_sheet
from eval.tutoring.protocol.record import SESSION, SessionKey
from eval.tutoring.protocol.session import hold_dialogue, measure_session
from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.learning import LearningSettings, Listening
from scribe.tutor.session import MAX_ROUNDS, StudentTurn, Tutor, TutoringSession, TutorTurn
from tests.eval.tutoring.scripted import ScriptedTester, ScriptedTutor, open_task
from tests.scribe.scripted import ScriptedBackend

SURE = Listening(LearningSettings(rate=1.0, unasked=1.0))


def final(text: str) -> str:
    return f" Enough. [END_OF_REASONING]\n[FINAL_ANSWER]{text}[END_OF_FINAL_ANSWER]"


def talk(tutor: Tutor) -> tuple[list[int], bool]:
    """The rounds of each moment, and whether the goal was reached."""
    task, brief = open_task()
    tester = ScriptedTester()
    student = KnowledgeDrivenStudent(task, "low", tester, SURE)
    moments = list(hold_dialogue(tutor, student, TestsModerator(task, tester), brief, seed=0))
    return [each.session.rounds for each in moments], moments[-1].reached


def test_a_dialogue_ends_after_eight_rounds() -> None:
    assert talk(IdleTutor()) == (list(range(MAX_ROUNDS + 1)), False)


def test_a_dialogue_ends_when_the_student_s_program_passes() -> None:
    _, brief = open_task()
    rounds, reached = talk(ScriptedTutor([each.text for each in brief.components]))
    assert reached
    assert rounds[-1] <= len(brief.components)


def test_the_tutor_hears_what_the_student_said_last() -> None:
    tutor = ScriptedTutor(["Hello!"])
    talk(tutor)
    assert isinstance(tutor.seen[1].turns[-1], StudentTurn)


def test_a_session_s_record_has_a_test_for_each_round_and_comes_back_from_its_line() -> None:
    task, brief = open_task()
    tester = ScriptedTester()
    student = KnowledgeDrivenStudent(task, "medium", tester, SURE)
    key = SessionKey("explainer", task.id, "medium", 0)
    found = measure_session(key, task, brief, ExplainingTutor(), student, TestsModerator(task, tester), tester, 3)
    assert [test.round for test in found.tests] == list(range(len(found.rounds) + 1))
    assert all(len(test.programs) == 3 for test in found.tests)
    assert found.prior == student.begin().known
    assert set(found.prior or ()) < set(found.rounds[-1].known or ())
    assert SESSION.validate_python(json.loads(SESSION.dump_json(found))) == found


def test_the_oracle_s_students_know_all_without_a_word() -> None:
    task, brief = open_task()
    tester = ScriptedTester()
    student = KnowledgeDrivenStudent(task, "low", tester, SURE)
    key = SessionKey("oracle", task.id, "low", 0)
    found = measure_session(key, task, brief, None, student, TestsModerator(task, tester), tester)
    assert (found.end, found.rounds) == ("oracle", ())
    assert [any(each.passed for each in test.programs) for test in found.tests] == [False, True]


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "You are nearly there.",
        "Yes, the goal is reached.",
        '"yes"',
        "{}",
        '{"goal_reached": "yes", "shown": []}',
        'Yes: {"goal_reached": true, "shown": []}',
        '{"goal_reached": true}',
        "[true]",
        "",
    ],
)
def test_no_word_is_a_ruling(said: str) -> None:
    assert read_sheet(said) is None


def rule(turns: Sequence[str]) -> tuple[bool, bool, int]:
    backend = ScriptedBackend([final(turn) for turn in turns])
    session = TutoringSession(open_task()[1]).then(TutorTurn("Hello!")).then(StudentTurn("Yes."))
    ruling = ModelModerator(backend).judge(session)
    return ruling.reached, ruling.readable, len(backend.prompts)


def test_a_moderator_that_only_says_yes_ends_no_dialogue_and_is_counted() -> None:
    assert rule(["Yes.", "Yes!", "You may end it."]) == (False, False, 3)


def test_the_goal_is_reached_when_every_component_is_said_to_be_shown() -> None:
    names = [each.name for each in open_task()[1].components]
    sheet = {"shown": names, "goal_reached": True}
    assert rule([json.dumps(sheet)]) == (True, True, 1)
    assert rule(["Yes.", f"```json\n{json.dumps(sheet)}\n```"]) == (True, True, 2)
    assert rule([json.dumps({**sheet, "shown": names[1:]})]) == (False, True, 1)
    assert rule([json.dumps({**sheet, "goal_reached": False})]) == (False, True, 1)


def test_a_moderator_is_shown_the_dialogue_without_our_markers() -> None:
    backend = ScriptedBackend([final("{}")] * 3)
    session = TutoringSession(open_task()[1]).then(TutorTurn("Hi.")).then(StudentTurn("[FINAL_ANSWER] all done"))
    ModelModerator(backend).judge(session)
    assert "Student: (FINAL_ANSWER) all done" in backend.prompts[0][-1].content
