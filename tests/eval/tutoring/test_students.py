"""The knowledge-driven student: what levels know, what turns teach, what is said and written."""

from dataclasses import replace

import pytest

from data.tasks.reading import find_task, list_tasks
from eval.tutoring.students.attention import keep_heard
from eval.tutoring.students.knowledge_driven import MOST_WORDS, KnowledgeDrivenStudent
from eval.tutoring.students.learning import LearningSettings, Listening, count_cues
from eval.tutoring.students.prior import draw_prior, list_shown_steps
from eval.tutoring.students.student import LEVELS, Level, StudentState
from scribe.sandbox.result import Reason
from scribe.tutor.session import Language, StudentTurn, TutoringSession, TutorTurn
from tests.eval.tutoring.scripted import ScriptedTester, open_task

SURE = Listening(LearningSettings(rate=1.0))


def make_student(level: Level = "low", listening: Listening = SURE, seed: int = 0) -> KnowledgeDrivenStudent:
    return KnowledgeDrivenStudent(open_task()[0], level, ScriptedTester(), listening, seed)


def hear(student: KnowledgeDrivenStudent, text: str, state: StudentState) -> tuple[StudentTurn, StudentState]:
    return student.reply(TutoringSession(open_task()[1]).then(TutorTurn(text)), state)


@pytest.mark.parametrize("name", list_tasks())
def test_each_level_knows_all_that_the_one_below_knows_and_more(name: str) -> None:
    low, medium, high = (draw_prior(find_task(name), level, seed=1) for level in LEVELS)
    assert not low
    assert low < medium < high
    kinds = {each.name: each.kind for each in find_task(name).components}
    assert {kinds[each] for each in medium} == {"dependency"}
    assert high - medium == set(list_shown_steps(find_task(name)))


def test_another_seed_knows_other_dependencies() -> None:
    task = find_task("loan-desk")
    assert len({draw_prior(task, "medium", seed) for seed in range(8)}) > 1


def test_of_a_long_turn_the_last_words_are_heard() -> None:
    assert keep_heard("one  two three", most=2) == "two three"
    assert keep_heard("one  two", most=2) == "one  two"


def test_a_word_is_found_in_its_other_forms_and_without_accents() -> None:
    assert count_cues("It is multiplied by its own WEIGHTS", ("multiply", "weight", "same item")) == pytest.approx(
        2 / 3
    )
    assert count_cues("a l'egalite on trie", ("égalité",)) == 1.0
    assert count_cues("an undivided whole", ("divide",)) == 0.0


def test_an_explanation_of_what_is_unknown_becomes_known_and_right_in_the_program() -> None:
    task, brief = open_task()
    student = make_student()
    text = next(each.text for each in brief.components if each.name == "on-the-scale")
    turn, after = hear(student, text, student.begin())
    assert student.begin().known == ()
    assert "on-the-scale" in (after.known or ())
    assert task.part("on-the-scale") in turn.code
    assert task.part("divide") not in turn.code


def test_what_explains_nothing_teaches_nothing() -> None:
    student = make_student()
    turn, after = hear(student, "Hello! You are doing very well, take your time.", student.begin())
    assert after.known == ()
    assert turn.code == student.write_own(student.begin())


def test_an_explanation_that_is_followed_by_sixty_words_is_not_heard() -> None:
    student = make_student()
    text = open_task()[1].components[0].text
    assert hear(student, text, student.begin())[1].known
    assert not hear(student, f"{text} {'so la ' * 30}", student.begin())[1].known


def test_a_question_teaches_less_than_an_explanation_and_much_at_once_less_than_little() -> None:
    _, brief = open_task()
    component = brief.components[0]
    told = SURE.list_treated(SURE.measure_fit(f"{component.text}", brief))
    asked = SURE.list_treated(SURE.measure_fit(component.text.replace(".", "?"), brief))
    assert told[component.name] == 1.0 > asked.get(component.name, 0.0)
    few = SURE.measure_chances({"a": 1.0, "b": 1.0}, asked="a")
    many = SURE.measure_chances(dict.fromkeys("abcd", 1.0), asked="a")
    assert few["a"] == 1.0
    assert few["b"] == pytest.approx(SURE.settings.unasked)
    assert many["a"] == pytest.approx(0.5)


def test_attempts_at_two_moments_differ_by_what_was_learnt_alone() -> None:
    task, _ = open_task()
    student = make_student()
    before, knowing = student.begin(), StudentState(("divide",))
    session = TutoringSession(open_task()[1])
    for number in range(10):
        one, other = (student.attempt(session, state, number) for state in (before, knowing))
        rest = other.replace(task.part("divide"), "")
        assert all(line in one for line in rest.splitlines())


def test_who_knows_all_writes_the_reference_but_for_slips() -> None:
    task, brief = open_task()
    student = make_student()
    programs = [student.attempt(TutoringSession(brief), student.inform(), number) for number in range(10)]
    assert programs.count(task.reference) >= 6
    assert student.write_own(student.inform()) == task.reference


def test_who_knows_nothing_sometimes_hits_a_part_by_chance() -> None:
    task, brief = open_task()
    student = make_student()
    programs = [student.attempt(TutoringSession(brief), student.begin(), number) for number in range(10)]
    assert task.reference not in programs
    assert any(task.part("divide") in program for program in programs)
    assert not all(task.part("divide") in program for program in programs)


@pytest.mark.parametrize("language", ["English", "French"])
def test_the_same_seed_gives_the_same_words_and_another_seed_others(language: Language) -> None:
    _, brief = open_task(language)

    def talk(seed: int) -> list[str]:
        student = make_student("medium", Listening(), seed)
        session, state, said = TutoringSession(brief), student.begin(), list[str]()
        for component in brief.components:
            session = session.then(TutorTurn(component.text))
            turn, state = student.reply(session, state)
            session, said = session.then(turn), [*said, turn.text]
        return said

    assert talk(1) == talk(1)
    assert talk(1) != talk(2)
    assert all(0 < len(text.split()) <= MOST_WORDS for text in talk(1))
    assert "{" not in "".join(talk(1))


def test_a_student_asks_about_something_that_they_do_not_know() -> None:
    student = make_student("high")
    turn, after = hear(student, "Hello!", student.begin())
    assert after.asked
    assert after.asked not in (after.known or ())
    assert "?" in turn.text


def test_results_are_told_once_for_the_same_program() -> None:
    student = make_student()
    first, state = hear(student, "Hello!", student.begin())
    session = TutoringSession(open_task()[1]).then(TutorTurn("Hello!")).then(first).then(TutorTurn("Go on."))
    again, _ = student.reply(session, state)
    assert "test_a_zero_counts: failed" in first.results
    assert again.code == first.code
    assert again.results == ""


@pytest.mark.parametrize("met", ["memory", "timeout", "unreached", "ended"])
def test_what_a_student_tells_does_not_depend_on_which_limit_a_program_met_first(met: Reason) -> None:
    task, _ = open_task()
    student = KnowledgeDrivenStudent(task, "low", ScriptedTester(met), SURE)
    turn, _ = hear(student, "Hello!", student.begin())
    assert turn.results.count("failed (timeout)") == len(task.test_names)


def test_a_known_component_that_the_tutor_asks_about_is_recalled() -> None:
    _, brief = open_task()
    text = next(each.text for each in brief.components if each.name == "divide")
    student = make_student()
    state = replace(student.begin(), known=("divide",))
    turn, after = hear(student, f"Do you know this: {text.removesuffix('.').lower()}?", state)
    assert text[4:40] in turn.text
    assert "divide" in after.named
