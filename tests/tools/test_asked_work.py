"""Questions on one kind of graded work: what it counts and how it stands, and what a week has of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from data.bundle import find
from tests.tools.asking import told, told_first, vault
from tests.tools.small_course import course_with, grades, student
from tools import exercise_search, get_dependant_topics, grade_calculator, map_week_to_topic
from tools.details import graded_work

WHO = student(marks=grades(7, 4, 15, None))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "how many points do I have in the quizzes?",
            "Of the final grade, 20 percent is for the quizzes. "
            "You have 11 of 20 percent there, and nothing of it is open any more.",
        ),
        (
            "What do I need in the final?",
            "Of the final grade, 40 percent is for the final exam. "
            "Nothing of it has been graded yet, so all of it is still open.",
        ),
        (
            "my score in homework 1",
            "Of the final grade, 20 percent is for Homework of week 1. You have 15 of 20 points there.",
        ),
        (
            "homework of week 2?",
            "Of the final grade, 20 percent is for Homework of week 2. "
            "Nothing of yours was handed in for it, so it counts as 0.",
        ),
    ],
)
def test_a_part_that_is_asked_about_is_told_first(asked: str, said: str) -> None:
    assert told_first(grade_calculator.make(course_with(WHO), WHO), "so_far", asked) == said


def test_what_is_open_of_a_part_is_told() -> None:
    alone = course_with(WHO, others=())
    said = told_first(grade_calculator.make(alone, WHO), "so_far", "how is my homework going?")
    assert said.endswith("So far you have 15 of 20 percent there, with 20 percent still open.")


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "what is my final grade",
        "will I pass?",
        "how is my pitch going",
        "Au final, est-ce que je vais réussir ?",
        "Quel sera mon résultat final ?",
        "my final percentage?",
        "Quelle note pour le contrôle continu ?",
        "homework 12",
        "points of the homework of week 3",
        "mon devoir de la semaine 3",
    ],
)
def test_without_such_a_part_nothing_is_added(asked: str) -> None:
    assert not told_first(grade_calculator.make(course_with(WHO), WHO), "so_far", asked)


@pytest.mark.parametrize(
    "asked",
    [
        "what do I need in the final to pass?",
        "What about the final then",
        "with a perfect final, can I pass?",
        "how much for my final exam",
        "In week 1 I was ill, what do I need in the final?",
        "l'examen final compte combien ?",
        "is there a test?",
        "le contrôle de la semaine 5 ?",
        "mes points à l'épreuve ?",
    ],
)
def test_the_final_exam_is_found_however_it_is_called(asked: str) -> None:
    assert [item.id for item in graded_work.named(asked, course_with(WHO).grading)] == ["final"]


def test_the_number_beside_the_work_counts_before_another() -> None:
    items = graded_work.named("we are in week 1, what about homework 2?", course_with(WHO).grading)
    assert [item.id for item in items] == ["homework-2"]


def test_in_french_the_course_keeps_its_own_word_for_homework() -> None:
    course = course_with(WHO)
    grading = tuple(replace(item, title=item.title.replace("Homework", "Devoir")) for item in course.grading)
    for graded, name in ((grading, "les devoirs"), (course.grading, "les travaux pratiques")):
        french = replace(course, language="fr", grading=graded)
        said = told_first(grade_calculator.make(french, WHO), "so_far", "et mes devoirs ?")
        assert said.startswith(f"Dans la note finale, la part prévue pour {name} est de 40 pour cent.")


@pytest.mark.parametrize(
    ("week", "asked", "said"),
    [
        (1, "is homework due?", "Graded work of week 1: Homework of week 1 (20 percent)."),
        (3, "any homework?", "There is no graded homework in week 3."),
        (3, "is there a test?", "There is no exam in week 3. The next is Final exam (40 percent) in week 5."),
        (
            4,
            "what do I have to hand in?",
            "Apart from quizzes, there is no graded work in week 4. The next is Final exam (40 percent) in week 5.",
        ),
    ],
)
def test_a_week_tells_the_graded_work_that_is_asked_about(week: int, asked: str, said: str) -> None:
    assert told_first(map_week_to_topic.make(course_with(WHO)), "says", asked, week=week) == said


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "what is week 3 about?",
        "how many quizzes are there?",
        "where are the lecture notes for week 3?",
        "I did badly due to illness, what is week 3 about?",
        "does week 3 cover test signals",
        "what is the final topic of week 3?",
    ],
)
def test_a_question_on_topics_or_quizzes_gets_the_week_alone(asked: str) -> None:
    assert not told_first(map_week_to_topic.make(course_with(WHO)), "says", asked, week=3)


@pytest.mark.parametrize("asked", ["qu'est-ce qui est noté ?", "is anything due?", "what is due tomorrow"])
def test_what_is_due_or_marked_is_graded_work(asked: str) -> None:
    assert told_first(map_week_to_topic.make(course_with(WHO)), "says", asked, week=3)


def test_who_asks_for_other_exercises_is_not_shown_the_same(tmp_path: Path) -> None:
    dsp = find("dsp")
    search = exercise_search.make(dsp, vault(tmp_path))
    first, more = (told(search, asked, query="exercises", week=6) for asked in ("week 6", "too easy, others?"))
    assert first["says"] != more["says"] and first["start"] != more["start"]


@pytest.mark.parametrize(
    "asked",
    [
        "other problems?",
        "another one",
        "another DFT one",
        "any others",
        "d'autres ?",
        "un autre exercice",
        "trop faciles",
    ],
)
def test_others_are_asked_for_in_many_ways(tmp_path: Path, asked: str) -> None:
    search = exercise_search.make(find("dsp"), vault(tmp_path))
    first, more = (told(search, each, query="exercises", week=6)["says"] for each in ("week 6", asked))
    assert first != more


@pytest.mark.parametrize(
    "asked",
    [
        "Another question: any exercises for week 6?",
        "another question about exercises, week 6",
        "exercises of week 6, nothing else",
        "Autre question : des exercices de la semaine 6 ?",
        "other than exercises, nothing helps: week 6",
    ],
)
def test_another_question_is_not_one_for_other_exercises(tmp_path: Path, asked: str) -> None:
    search = exercise_search.make(find("dsp"), vault(tmp_path))
    first, same = (told(search, each, query="exercises of week 6")["says"] for each in ("week 6", asked))
    assert first == same


def test_the_reason_given_is_that_of_the_need_which_is_asked_about() -> None:
    needs = get_dependant_topics.make(find("dsp"))
    first, last, named = (
        told(needs, asked, week=6)["why"]
        for asked in ("what must I know", "why that last one", "why do I need approximation by projection?")
    )
    assert first != last and "Ideal filters" in last and named.startswith("Approximation by projection")
