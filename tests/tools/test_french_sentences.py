"""Every tool speaks French to the students of a French course: real data, whole sentences."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.bundle import find
from data.catalogue_languages import catalogue_in
from data.course import Course
from scribe.tool import Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder
from tools.build import toolbox
from tools.phrases import phrases
from tools.search.vault import Vault

Told = dict[str, Any]


@pytest.fixture(scope="module")
def geo() -> Course:
    return find("geo")


@pytest.fixture(scope="module")
def ask(geo: Course, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Told]:
    vault = Vault(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors"))
    boxes: dict[str, Toolbox] = {}

    def call(name: str, student: str = "s001", asked: str = "", **arguments: Any) -> Told:
        box = boxes.setdefault(student, toolbox(geo, student, vault))
        told: Told = json.loads(box.call(Call(name, arguments), asked).content)
        return told

    return call


def test_a_week_and_its_topics(ask: Callable[..., Told]) -> None:
    told = ask("map_week_to_topic", week=3)
    assert told["says"] == (
        "La semaine 3 porte sur « Références géodésiques et projections ». Au programme : « Références géodésiques », "
        "« Projections cartographiques », « Déformations d'une projection » et « Coordonnées suisses ». "
        "Il y a 3 quiz."
    )
    assert told["start"] == "Le mieux est de commencer par « Références géodésiques »."
    refused = ask("map_week_to_topic", week=11)
    assert refused["error"] == "Il n'y a pas de semaine 11. Le cours va de la semaine 1 à la semaine 10."


def test_what_a_week_builds_on(ask: Callable[..., Told]) -> None:
    told = ask("get_dependant_topics", week=6)
    assert told["says"] == (
        "Avant la semaine 6, il faut connaître « Acquisition des géodonnées » (semaine 1) et « Ellipsoïde et géoïde » "
        "(semaine 2)."
    )
    assert told["why"].endswith(", car une dénivelée est une mesure entachée d'erreurs systématiques et accidentelles.")
    assert told["review"] == "Commencez donc par revoir « Acquisition des géodonnées » (semaine 1)."
    assert ask("get_dependant_topics", week=1)["says"].startswith("La semaine 1, « Introduction à la géomatique », ne")


def test_rules_book_and_exercises(ask: Callable[..., Told]) -> None:
    rule = ask("get_course_syllabus", query="devoir en retard")
    assert rule["where"] == "Cela figure dans les règles du cours, à la rubrique « Retards »."
    section = ask("textbook_search", query="ellipsoïde et géoïde")
    assert section["where"] == (
        "C'est au programme de la semaine 2, dans la section 2.3 « Ellipsoïde et géoïde » du manuel."
    )
    found = ask("exercise_search", query="exercices", week=3)
    assert found["says"].startswith("Ces exercices conviennent : « Système ou cadre » (geo-03-01), ")
    assert " et « " in found["says"] and found["start"] == "Commencez par geo-03-01."
    assert ask("exercise_search", query="zèbre")["try"] == "Demandez un thème du cours ou une semaine, de 1 à 10."


def test_the_grade_with_a_decimal_comma_and_the_parts_by_their_french_names(ask: Callable[..., Told]) -> None:
    told = ask("grade_calculator")
    assert told["so_far"] == (
        "Jusqu'ici, vous avez obtenu 19 pour cent de la note finale sur 29 possibles, et le seuil de réussite est de "
        "55 pour cent."
    )
    assert told["needed"] == (
        "Il vous manque encore 36 pour cent, sur 71 pour cent encore à gagner : il vous faut donc 51 pour cent de ce "
        "qui reste."
    )
    assert "(10,5 points sur 24)" in told["weakest"]
    assert told["parts"][1:3] == [
        "travaux pratiques : 9 pour cent sur 15 possibles",
        "épreuve intermédiaire : encore à venir",
    ]


def test_what_a_part_of_the_work_gives_is_told_in_percent_of_the_final_grade(ask: Callable[..., Told]) -> None:
    assert ask("grade_calculator", asked="Et mes travaux pratiques ?")["so_far"].startswith(
        "Dans la note finale, la part prévue pour les travaux pratiques est de 30 pour cent. Jusqu'ici, vous y avez "
        "obtenu 9 pour cent de la note finale sur 15 pour cent possibles, et il reste 15 pour cent à gagner."
    )
    closed = phrases("fr")("grade.asked_closed", earned=9, graded="15 pour cent")
    assert closed.startswith("Vous y avez obtenu 9 pour cent de la note finale sur 15 pour cent possibles, ")


def test_graded_work_of_a_week_whether_one_piece_or_several(ask: Callable[..., Told]) -> None:
    def due(week: int) -> str:
        said: str = ask("map_week_to_topic", asked="Qu'est-ce qui est noté ?", week=week)["says"]
        return said.split(" La semaine ")[0]

    assert due(5) == (
        "À rendre ou à passer en semaine 5 : « Travail pratique de la semaine 5 » (5 pour cent de la note finale)."
    )
    assert due(6).startswith("À rendre ou à passer en semaine 6 : « Travail pratique de la semaine 6 » (5 pour cent ")
    assert due(6).endswith(" et « Épreuve intermédiaire » (10 pour cent de la note finale).")
    assert due(10) == (
        "À part les quiz, rien n'est noté en semaine 10. "
        "Prochaine échéance : « Examen final » (35 pour cent de la note finale), en semaine 12."
    )


def test_a_week_that_went_badly_and_one_that_went_well(ask: Callable[..., Told]) -> None:
    bad = ask("sort_student_features_with_importance", "s002", week=3)
    assert bad["first"] == "part de vidéos ouvertes à temps"
    assert bad["went_wrong"].startswith(
        "En semaine 3, votre principal frein a été la part de vidéos ouvertes à temps, avec 40 pour cent (médiane de "
        "la classe : 80 pour cent). Pour l'instant, vos points sont au niveau demandé"
    )
    assert bad["do"].startswith(
        "Commencez donc par augmenter la part de vidéos ouvertes à temps, jusqu'à environ 51 pour cent. Ouvrez "
    )
    good = ask("sort_student_features_with_importance", week=3)
    assert good["went_wrong"].startswith("La semaine 3 s'est bien passée. Par rapport à la classe, votre point faible")
    assert good["do"] == (
        "Gardez le cap : la part de questions de quiz réussies doit rester bien au-dessus de 85 pour cent."
    )
    later = ask("sort_student_features_with_importance", week=6)
    assert later["no_data"].endswith("il n'y a de données que pour les semaines 1 à 5.")
    nothing = ask("sort_student_features_with_importance", week=1)
    assert nothing["try"] == "Posez plutôt une question sur les semaines 3 et 5."


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("régularité des horaires", "RegPeakTimeDayHour"),
        ("La regularite de mes horaires", "RegPeakTimeDayHour"),
        ("fixed hours of study", "RegPeakTimeDayHour"),
        ("vidéos ouvertes à temps", "ContentAlignment"),
        ("temps passé sur les vidéos en semaine 4", "TotalTimeVideo"),
        ("StudentShape", "StudentShape"),
        ("l'anticipation", "proactivity"),
        ("proactivity", "proactivity"),
    ],
)
def test_a_behaviour_is_found_by_its_french_and_its_english_names(
    ask: Callable[..., Told], asked: str, name: str
) -> None:
    assert ask("get_feature_description", feature=asked)["name"] == name


def test_a_behaviour_and_a_side_of_it_are_explained(ask: Callable[..., Told]) -> None:
    told = ask("get_feature_description", feature="part de vidéos ouvertes en avance")
    assert (told["says"], told["usually"], told["dimension"]) == (
        "L'indicateur « part de vidéos ouvertes en avance » mesure la part de toutes les vidéos des semaines suivantes "
        "que vous avez déjà ouvertes cette semaine-là.",
        "En général, plus il est élevé, meilleurs sont les résultats.",
        "Il relève de l'anticipation.",
    )
    side = ask("get_feature_description", feature="régularité")
    assert side["measured"].startswith("Cela se mesure notamment par la régularité des horaires, le rythme")
    assert ask("get_feature_description", feature="bonheur")["no_data"] == "Aucun indicateur ne porte ce nom."


@pytest.mark.parametrize(
    ("plan", "side"),
    [
        ("réviser toujours aux mêmes horaires", "Régularité"),
        ("m'y prendre plus tôt, pas à la dernière minute", "Anticipation"),
        ("répondre juste du premier coup", "Maîtrise des quiz"),
        ("étaler mon travail sur toutes les semaines", "Constance"),
        ("bosser davantage", "Effort"),
        *((feature.label, "") for feature in catalogue_in("fr").features[::4]),
    ],
)
def test_a_plan_in_french_is_sent_to_its_side_of_behaviour(ask: Callable[..., Told], plan: str, side: str) -> None:
    told = ask("impact_of_student_behaviors", query=plan)
    french = catalogue_in("fr")
    feature = next((one for one in french if one.label == plan), None)
    wanted = french.dimension(feature.dimension or "") if feature else None
    if feature and wanted and not wanted.core:
        assert "Ce comportement est mesuré, mais il renseigne peu sur les chances de réussite" in told["no_data"]
        has = any(key[0] == feature.name for key in find("geo").student("s001").features)
        assert (f", pour {feature.the}, votre valeur est de " in told["no_data"]) is has
        return
    assert told["dimension"] == (wanted.title if wanted else side)
    assert told["says"].startswith("Il s'agit ici de l")
    assert re.match(r"Dans ce cours, (l'|la ).* compte pour ", told["matters"])


def test_a_value_is_compared_with_values_and_not_with_people(ask: Callable[..., Told]) -> None:
    told = ask("impact_of_student_behaviors", query="part de questions de quiz réussies")
    assert told["yours"].endswith(" pour cent), ce qui est mieux que pour la majorité de la classe.")
    beside = [phrases("fr").texts[f"own.{end}"] for end in ("better", "worse", "more", "fewer", "alike")]
    assert all(re.search(r"(que pour|comme dans) l[ae] \w+ de la classe$", text) for text in beside)


def test_what_is_no_behaviour_is_refused_with_others_to_ask_about(ask: Callable[..., Told]) -> None:
    told = ask("impact_of_student_behaviors", query="zèbre")
    assert told["no_data"] == "Cela ne fait pas partie des comportements qui ont été mesurés."
    assert told["try"].startswith("Posez plutôt une question sur l") and " ou " in told["try"]


def test_both_files_hold_the_same_sentences_and_french_ones_are_set_as_french() -> None:
    english, french = phrases("en").texts, phrases("fr").texts
    assert {key for key in french if not key.startswith("kinds.")} == set(english)
    for key, text in french.items():
        assert " !" in text or "!" not in text, key
        assert not any(f"{letter}:" in text for letter in "abcdefghijklmnopqrstuvwxyz»}"), key
        assert text.count("«") == text.count("»"), key
    assert phrases("de") == phrases("en")


def test_the_cache_of_one_language_is_not_that_of_the_other(geo: Course, tmp_path: Path) -> None:
    vault = Vault(ScriptedEmbedder(), tmp_path)
    call = Call("get_feature_description", {"feature": "régularité des horaires"})
    dsp = find("dsp")
    english = toolbox(dsp, next(iter(dsp.students)), vault).call(call).content
    assert "indicateur" in toolbox(geo, "s001", vault).call(call).content and "no_data" in english
