"""Scaling with candidates: what belongs together, what more of them bring, and the value that knows the truth."""

from dataclasses import replace

import pytest

from eval.tutoring.metrics.scaling import list_families, list_shown, measure_scaling
from eval.tutoring.metrics.summary import summarise_run
from eval.tutoring.page.page import build_page, render_tutoring_page
from eval.tutoring.page.tables import tabulate_differences
from eval.tutoring.page.worst import TaskWords
from eval.tutoring.protocol.informed import InformedTutor
from eval.tutoring.protocol.measuring import SessionMeasurer
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import DialogueRound, MeasuredSession, SessionKey
from eval.tutoring.protocol.run import RunOutcome
from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.knowledge_value import KnowledgeVerifier
from eval.tutoring.students.learning import Listening
from eval.tutoring.students.student import LEVELS
from scribe.plumbing.errors import UsageError
from scribe.tutor.session import Candidate, StudentTurn, TokenUse, TutoringSession, TutorTurn
from scribe.verify.verifying import Verifier
from tests.eval.tutoring.scripted import ScriptedTester, ScriptedTutor, open_task, record


def scaled(name: str, passes: int, tokens: int = 0) -> list[MeasuredSession]:
    drawn = (Candidate("one two"), Candidate("three"))
    said = DialogueRound(TutorTurn("one two", candidates=drawn, use=TokenUse(tokens, 1)), StudentTurn("d"))
    found = [record(name, task, level, (1, passes)) for task in "abcd" for level in LEVELS]
    return [replace(each, rounds=(said,)) for each in found]


def test_tutors_that_differ_by_their_candidates_alone_belong_together() -> None:
    names = ("idle", "traver@20", "traver@1", "random@5")
    assert list_families(names) == {"traver": ("traver@1", "traver@20")}
    assert list_shown(names) == ("idle", "traver@20", "random@5")


def test_each_number_is_compared_with_the_fewest_and_told_with_its_cost() -> None:
    half = replace(scaled("t@1", 3, 900)[0], key=SessionKey("t@1", "e", "low", 0))  # its task lacks two levels
    found = [*scaled("t@5", 9, 40), *scaled("t@1", 3, 10), half]
    few, many = measure_scaling(summarise_run(found, ("t@5", "t@1"), "abcd").tutors, found)["t"]
    assert (few.candidates, few.more, few.tokens, few.words) == (1, None, 11.0, 3.0)
    assert (many.candidates, many.tokens, many.tasks) == (5, 41.0, 4)
    assert many.more is not None
    assert many.outcome.value is not None
    assert few.outcome.value is not None
    assert many.more.outcome.value == pytest.approx(many.outcome.value - few.outcome.value)
    assert many.more.outcome.direction == 1


def test_the_page_has_the_figure_and_compares_only_the_most_candidates_elsewhere() -> None:
    found, names = (
        [*scaled("varied-x@1", 3), *scaled("varied-x@5", 9), *scaled("idle", 1)],
        ("varied-x@1", "varied-x@5"),
    )
    plan = MeasurementPlan((*names, "idle"), tuple("abcd"))
    summary = summarise_run(found, plan.tutors, plan.tasks)
    words = {task: TaskWords(task, {}) for task in "abcd"}
    page = render_tutoring_page(build_page(plan, RunOutcome("finished", 36, 36, {}), found, summary, words))
    assert "Pass against candidates" in page
    assert "draw their candidates from a program" in page
    differences = tabulate_differences(summary)
    assert differences is not None
    assert {row["less"] for row in differences.named_rows()} == {"varied-x@5"}


def test_a_turn_is_worth_what_this_student_would_learn_of_it() -> None:
    task, brief = open_task()
    worth = {}
    for level in LEVELS:
        student = KnowledgeDrivenStudent(task, level, ScriptedTester(), Listening())
        verifier = KnowledgeVerifier(student, Listening())
        texts = [*(each.text for each in brief.components), "Take your time."]
        worth[level] = dict(zip(texts, verifier.value(TutoringSession(brief), texts).rewards, strict=True))
        known = set(student.begin().known or ())
        assert worth[level]["Take your time."] == 0
        assert all(worth[level][each.text] > 0 for each in brief.components if each.name not in known)
        assert all(worth[level][each.text] < worth["low"][each.text] for each in brief.components if each.name in known)


def test_what_was_learned_on_the_way_is_worth_nothing_any_more() -> None:
    task, brief = open_task()
    student, listening = KnowledgeDrivenStudent(task, "low", ScriptedTester(), Listening()), Listening()
    session, state = TutoringSession(brief), student.begin()
    while not state.known:
        session = session.then(TutorTurn(brief.components[0].text))
        turn, state = student.reply(session, state)
        session = session.then(turn)
    verifier = KnowledgeVerifier(student, listening)
    assert verifier.value(session, [brief.components[0].text, brief.components[1].text]).rewards[0] == 0


def test_the_chooser_that_knows_the_student_is_opened_for_each_and_refused_for_played_ones() -> None:
    opened = list[Verifier]()

    def make(value: Verifier) -> ScriptedTutor:
        opened.append(value)
        return ScriptedTutor(["Take your time."])

    plan = MeasurementPlan(("informed",), ("final-grade",), attempts=1, rounds=1)
    measurer = SessionMeasurer(plan, {"informed": InformedTutor("informed", make)}, ScriptedTester(), Listening())
    for level in LEVELS[:2]:
        assert measurer.measure(SessionKey("informed", "final-grade", level, 0)).rounds
    assert len({id(value) for value in opened}) == 2

    class ScriptedStudent:
        kind, level = "model", "low"

    with pytest.raises(UsageError, match="--students knowledge"):
        InformedTutor("informed", make).open_for(ScriptedStudent(), Listening())  # type: ignore[arg-type]
