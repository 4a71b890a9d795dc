"""The check of a French answer: weeks, numbers and names as French writes them, against French and English sources."""

from dataclasses import replace

import pytest

from data.bundle import find
from data.catalogue import load_catalogue
from scribe.figures import closed_up, in_full, numbers, weeks
from scribe.grounding import Grounding
from scribe.trajectory import Act, Call, Observation, Trajectory
from tests.scribe.scene import task
from tools import lexicon

REPORT = "In week 5 your quiz problems fully solved came to 22 percent; your clicks on the platform were 1.2 thousand."
SAID = (
    '{"week": 3, "says": "En semaine 3, votre principal frein a été le temps passé sur les vidéos, avec 1,5 heure '
    '(médiane de la classe : 3 heures). « Ellipsoïde et géoïde » se travaille en semaine 2."}'
)


@pytest.fixture(scope="module")
def check() -> Grounding:
    return Grounding(lexicon.make(find("geo"), load_catalogue()))


def complaints(check: Grounding, answer: str, question: str = "Pourquoi ?") -> list[str]:
    about = "Éléments de Géomatique (geo) has weeks 1 to 10; weeks 1 to 5 are over and week 6 comes next."
    start = Trajectory(replace(task(question, REPORT), about=about, language="French"))
    act = Act("", (Call("sort_student_features_with_importance", {"week": 3}),), (Observation(True, SAID),))
    return list(check(start.then(act), answer))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("semaine 5", {5}),
        ("semaines 3 et 4", {3, 4}),
        ("les semaines 2, 3 ou 5", {2, 3, 5}),
        ("de la semaine 3 à la semaine 6", {3, 4, 5, 6}),
        ("de la semaine 3 jusqu'à la semaine 5", {3, 4, 5}),
        ("la semaine trois", {3}),
        ("la 5e semaine, la 6ème semaine et la 1re semaine", {1, 5, 6}),
        ("la cinquième semaine", {5}),
        ("la semaine dernière et la semaine prochaine", set()),
        ("en semaine 5 à 18 heures", {5}),
        ("la semaine 5 et 12 vidéos", {5}),
        ("chaque semaine 3 heures, par semaine 12 clics", set()),
        ("en semaine deux fois par jour", set()),
        ("the week 5 quiz", {5}),
    ],
)
def test_weeks_are_read_as_french_writes_them(text: str, named: set[int]) -> None:
    assert weeks(text) == named


def test_numbers_are_one_whether_written_in_french_or_in_english() -> None:
    assert numbers("22 %, 22 pour cent, 1,5 heure et 1.5") == {"22", "1.5"}
    assert numbers("1\u202f240 clics, 12\u00a0000 points") == {"1240", "12000"}
    assert in_full("1.2 thousand, 12 mille, 1,5 million") == {"1200", "12000", "1500000"}
    assert closed_up("1 240 clics en semaine 3, 5 fois") == "1240 clics en semaine 3, 5 fois"


@pytest.mark.parametrize(
    "answer",
    [
        "En semaine 3, vous avez passé 1,5 heure sur les vidéos, la classe 3 heures.",
        "Votre part de questions de quiz réussies était de 22 % en semaine 5.",  # the report says it in English
        "Votre part de questions de quiz réussies était de 22 pour cent (« quiz problems fully solved »).",
        "Vous avez fait 1200 clics, soit 1 200 clics sur la plateforme.",
        "Revoyez d’abord « Ellipsoïde et géoïde », de la semaine 2.",
        "Le cours va de la semaine 1 à la semaine 10 ; les semaines 1 à 5 sont terminées.",
        "La semaine dernière s'est bien passée.",
        "Pendant la troisième semaine, le temps passé sur les vidéos a compté.",
    ],
)
def test_a_true_french_answer_passes(check: Grounding, answer: str) -> None:
    assert complaints(check, answer) == []


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("En semaine 4, vous avez perdu du temps.", ["week 4"]),
        ("La quatrième semaine a été la plus dure.", ["week 4"]),
        ("De la semaine 2 à la semaine 4, c'était bien.", ["week 4"]),
        ("Vous avez passé 1,6 heure sur les vidéos.", ["the number 1.6"]),
        ("Vous avez réussi 23 % des questions.", ["the number 23"]),
        ("Vous avez fait 1 300 clics.", ["the number 1300"]),
        ("Surveillez le nombre d'ouvertures de vidéos.", ["“nombre d'ouvertures de vidéos”"]),
        ("Surveillez le nombre d’ouvertures de vidéos.", ["“nombre d'ouvertures de vidéos”"]),
        ("Il faut connaître « Systèmes de coordonnées ».", ["“Systèmes de coordonnées”"]),
    ],
)
def test_a_wrong_week_number_or_name_is_refused(check: Grounding, answer: str, complaint: list[str]) -> None:
    assert complaints(check, answer) == complaint


def test_a_behaviour_asked_about_under_one_label_may_be_named_by_the_other(check: Grounding) -> None:
    answer = "Le nombre d'ouvertures de vidéos compte chaque ouverture."
    assert complaints(check, answer, "What does times you opened videos mean?") == []


def test_an_english_course_knows_no_french_label() -> None:
    told = lexicon.make(find("dsp"), load_catalogue())
    assert not any("régularité des horaires" in names for names in told.features)
