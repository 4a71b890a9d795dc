"""Search in a course that is taught in French, and what is found, in French."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from data.course import Course, Exercise, Section, Week
from scribe.trajectory import Observation
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, student

PLAN = (
    Week(1, "La ville", ("Étalement urbain", "Habitat"), 1, "The city", ("Urban sprawl", "Housing")),
    Week(2, "Le sol", ("Cadastre",), 1, "Land", ("Cadaster",)),
    Week(3, "L'eau", ("Réseau d'eau",), 1, "Water", ("Water network",)),
)
TEXTBOOK = (
    Section("1.1", "Étalement urbain", 1, "La ville s'étend vite. À la fin, elle manque de place. Écrit par nous."),
    Section("1.2", "Habitat", 1, "Un logement abrite un ménage."),
    Section("2.1", "Cadastre", 2, "Le cadastre nomme les propriétaires des parcelles."),
    Section("3.1", "Réseau d'eau", 3, "Une conduite amène l'eau aux quartiers."),
)
SYLLABUS = (
    Section("syllabus-1", "Retards", None, "Un devoir en retard perd 10 %. À signaler en cas de maladie."),
    Section("syllabus-2", "Examen final", None, "Il dure deux heures. Les notes sont permises."),
)
EXERCISES = tuple(
    Exercise(f"va-{week:02d}-{n:02d}", week, topic, title, f"{title}.", "SECRET")
    for week, n, topic, title in (
        (1, 1, "Étalement urbain", "Densité de deux villes"),
        (1, 2, "Habitat", "Loyer d'une famille"),
        (2, 1, "Cadastre", "Retrouver un propriétaire"),
        (3, 1, "Réseau d'eau", "Longueur des conduites"),
    )
)


@pytest.fixture
def course() -> Course:
    french = replace(course_with(student()), language="fr", weeks=3, plan=PLAN, prerequisites=())
    return replace(french, textbook=TEXTBOOK, syllabus=SYLLABUS, exercises=EXERCISES)


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("cest quoi letalement urbin", "1.1 Étalement urbain"),
        ("à qui sont les parcelles, qui est propriétaire", "2.1 Cadastre"),
        ("l'habitat", "1.2 Habitat"),
        ("urban sprawl", "1.1 Étalement urbain"),
        ("les réseaux d'eaux", "3.1 Réseau d'eau"),
    ],
)
def test_the_section_is_found_whatever_the_spelling(ask: Ask, course: Course, query: str, section: str) -> None:
    id, title = section.split(" ", 1)
    where = ask("textbook_search", None, course, query=query)["where"]
    assert where.endswith(f", dans la section {id} « {title} » du manuel.")


def test_the_first_sentence_ends_before_a_capital_with_an_accent(ask: Ask, course: Course) -> None:
    said = ask("textbook_search", None, course, query="étalement urbain")["says"]
    assert said == "Le manuel dit ceci : La ville s'étend vite."
    said = ask("get_course_syllabus", None, course, query="devoir en retard")["says"]
    assert said == "Les règles du cours disent ceci : Un devoir en retard perd 10 %. À signaler en cas de maladie."


@pytest.mark.parametrize(
    "query",
    [
        "donne-moi des exercices de la semaine 2",
        "exos sem. 2 svp",
        "je voudrais m'entraîner pour la 2e semaine",
        "Semaine n° 2",
    ],
)
def test_a_week_is_understood_in_french(ask: Ask, course: Course, query: str) -> None:
    told = ask("exercise_search", None, course, query=query)
    assert told["says"] == "Cet exercice convient : « Retrouver un propriétaire » (va-02-01)."


def test_a_topic_and_a_week_in_french(ask: Ask, course: Course) -> None:
    told = ask("exercise_search", None, course, query="des exercices sur le cadastre", week=1)
    assert told == {
        "no_data": "La semaine 1 n'a pas d'exercice sur « Cadastre ».",
        "try": "« Cadastre » se travaille en semaine 2.",
    }
    assert ask("exercise_search", None, course, query="exercices sur l'habitat")["start"] == "Commencez par va-01-02."


def test_what_is_not_taught_is_refused_in_french_too(ask: Ask, course: Course) -> None:
    told = ask("textbook_search", None, course, query="révolution française")
    assert told["no_data"] == "Le manuel n'a pas de section sur « révolution française »."
    told = ask("exercise_search", None, course, query="exercices sur la mécanique quantique")
    assert told["no_data"] == "Il n'y a pas d'exercice sur « mécanique quantique »."


@pytest.mark.parametrize("query", ["é" * 10_000, "\0?a", "🦆 a", "semaine 99"])
def test_no_query_breaks_a_search(observe: Callable[..., Observation], course: Course, query: str) -> None:
    for tool in ("textbook_search", "exercise_search", "get_course_syllabus"):
        assert observe(tool, None, course, query=query).content.startswith('{"')


def test_who_asks_in_english_reads_the_rules_in_english_if_they_were_translated(ask: Ask, course: Course) -> None:
    english = replace(course, answered_in="en")
    original = ask("get_course_syllabus", None, english, query="devoir en retard")["says"]
    assert original.startswith("In their own language, the rules of the course say: Un devoir en retard perd 10 %.")
    rules = (
        Section("syllabus-1", "Late policy", None, "Late homework loses 10 percent. Tell us if you are ill."),
        Section("syllabus-2", "Final exam", None, "It takes two hours. Notes are allowed."),
    )
    told = ask("get_course_syllabus", None, replace(english, syllabus_en=rules), query="late homework")
    assert told["says"].startswith("The rules of the course say: Late homework loses 10 percent.")
    assert told["where"] == "You find this in the syllabus under Late policy."
    book = ask("textbook_search", None, english, query="urban sprawl")["says"]
    assert book == "In its own language, the textbook says: La ville s'étend vite."
