"""What rules find in a dialogue."""

from dataclasses import replace

import pytest

from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn
from scribe.verify.evidence import EvidenceKind, find_evidence, judge_tests, list_treated, measure_treatment
from tests.scribe.tutor.lesson import BRIEF

START, EACH = BRIEF.components
FAILING = "test_empty: passed\ntest_sum: failed (1 == 2)\ntest_one: passed"


def kinds(*turns: TutorTurn | StudentTurn, component: str = "each-price") -> list[EvidenceKind]:
    found = find_evidence(TutoringSession(BRIEF, turns))
    return [each.kind for each in found if each.component == component]


def test_a_tutors_turn_names_what_it_explains_and_nothing_else() -> None:
    assert list_treated(BRIEF, "Each time the function discount lowers it, and the price is added.") == ("each-price",)
    assert list_treated(BRIEF, "Hello, are you ready?") == ()


def test_a_cue_is_found_with_an_ending_and_without_accents_but_not_inside_a_word() -> None:
    component = replace(START, cues=("départ", "ville"), text="")
    assert measure_treatment(component, "les departs des villes") == 1.0
    assert measure_treatment(component, "redépartir en bidonville") == 0.0


def test_a_component_without_cues_goes_by_the_words_of_its_sentence() -> None:
    component = replace(EACH, cues=())
    assert measure_treatment(component, "the function discount has lowered every price before it is added") >= 0.5
    assert measure_treatment(component, "a loop") == 0.0


def test_repeating_and_asking_are_told_apart() -> None:
    said = "So discount is called and every price is added."
    assert kinds(StudentTurn(said)) == [EvidenceKind.REPEATED]
    assert kinds(StudentTurn("Is discount called when it is added?")) == [EvidenceKind.ASKED]
    assert kinds(StudentTurn("I don't understand discount and why it is added.")) == [EvidenceKind.ASKED]
    assert kinds(StudentTurn("Je ne comprends pas discount.")) == [EvidenceKind.ASKED]
    assert kinds(StudentTurn("Good morning.")) == []


def test_a_question_that_checks_a_whole_thought_is_no_ignorance() -> None:
    assert kinds(StudentTurn("So discount is called and every price is added?")) == [EvidenceKind.REPEATED]
    assert kinds(StudentTurn("With discount?")) == [EvidenceKind.ASKED]
    assert kinds(StudentTurn("Qu'est-ce que discount ?")) == [EvidenceKind.ASKED]
    assert kinds(StudentTurn("Est-ce que discount sert ici ?")) == [EvidenceKind.ASKED]


def test_what_a_student_says_is_no_evidence_for_what_the_tutor_named() -> None:
    told = kinds(TutorTurn("discount, and every price is added"), StudentTurn("ok"))
    assert told == [EvidenceKind.NAMED]


def test_tests_speak_for_the_components_that_name_them() -> None:
    assert judge_tests(START, FAILING) is True
    assert judge_tests(EACH, FAILING) is False
    assert judge_tests(replace(EACH, tests=()), FAILING) is None, "a failure alone says not whose it is"
    assert judge_tests(replace(EACH, tests=()), "test_sum: passed") is True
    assert judge_tests(EACH, "") is None
    assert kinds(StudentTurn("", "x", FAILING)) == [EvidenceKind.FAILED]


def test_the_same_code_says_nothing_twice() -> None:
    turns = StudentTurn("", "x", FAILING), TutorTurn("hm"), StudentTurn("", "x", FAILING)
    assert kinds(*turns) == [EvidenceKind.FAILED]
    changed = (*turns[:2], StudentTurn("", "y", FAILING))
    assert kinds(*changed) == [EvidenceKind.FAILED] * 2


@pytest.mark.parametrize("text", ["", "?", "...", "\n\n"])
def test_empty_turns_show_nothing(text: str) -> None:
    assert kinds(TutorTurn(text), StudentTurn(text)) == []
