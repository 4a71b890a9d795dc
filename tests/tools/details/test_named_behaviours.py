"""Behaviours are found in a question where it names them, and nowhere else; their values are told beside the class."""

import json
from pathlib import Path

import pytest

from data.catalogue_languages import catalogue_in
from data.course import Importance, Student
from scribe.trajectory import Call
from tests.tools.small_course import HOURS, ScriptedEmbedder, course_with, student
from tools.build import toolbox
from tools.details.named_behaviours import named
from tools.search.vault import Vault
from tools.search.words import LONGEST

OWN = {
    ("NumberOfSessions", 2): 2.0,
    ("DelayLecture", 1): 9 * HOURS,
    ("DelayLecture", 2): 90 * HOURS,
    ("ContentAlignment", 2): 0.9,
    ("TotalClicksWeekend", 2): 3.0,
}
MATTERED = (Importance(2, "DelayLecture", 0.5, "decrease", "pass", 44 * HOURS),)
LATE = "In week 2 you had 90 hours for delay before watching lectures (class 41 hours), weaker than most of the class"
SESSIONS = "2 sessions for number of study sessions (class 6 sessions), weaker than most of the class"


def answer(folder: Path, tool: str, asked: str, who: Student | None = None, **arguments: object) -> dict[str, str]:
    asking = who or student(features=OWN, importances=MATTERED)
    box = toolbox(course_with(asking), asking.id, Vault(ScriptedEmbedder(), folder))
    seen: dict[str, str] = json.loads(box.call(Call(tool, arguments), asked).content)
    return seen


def week(folder: Path, asked: str, who: Student | None = None) -> dict[str, str]:
    return answer(folder, "sort_student_features_with_importance", asked, who, week=2)


def said_first(folder: Path, asked: str, who: Student | None = None, key: str = "went_wrong") -> str:
    """What a week's sentence begins with because of the question; empty if nothing."""
    with_it, alone = (week(folder, each, who)[key] for each in (asked, ""))
    assert with_it.endswith(alone)
    return with_it.removesuffix(alone).strip()


def impact(folder: Path, query: str, asked: str = "") -> dict[str, str]:
    return answer(folder, "impact_of_student_behaviors", asked, query=query)


@pytest.mark.parametrize(
    ("language", "question", "features"),
    [
        ("en", "did I open the lectures too late in week 4?", ["DelayLecture"]),
        ("en", "I think I am regular, does the data agree?", ["RegPeakTimeDayHour"]),
        ("en", "does redoing a quiz help?", ["CompetencyAlignment"]),
        ("en", "did I spend enough time on the videos", ["TotalTimeVideo"]),
        ("en", "were my videos watched on time", ["ContentAlignment"]),
        ("en", "did pausing the lectures hurt me", ["FrequencyEventPause"]),
        ("en", "the quizzes or the weekends?", ["CompetencyAlignment", "TotalClicksWeekend"]),
        ("en", "my quiz score per attempt was low", ["CompetencyStrength"]),
        ("en", "what about total_clicks_problem", ["TotalClicksProblem"]),
        ("en", "what went wrong in week 4", []),
        ("en", "I was late with the homework, it took time", []),
        ("en", "it weakened me", []),
        ("en", "where should I go first", []),
        ("en", "what should I try first in week 3?", []),
        ("en", "what should I first try?", []),
        ("en", "quizzes right on the first try", ["StudentShape"]),
        ("en", "my first attempts", ["StudentShape"]),
        ("en", "should I go back to the videos of week 3", ["ContentAlignment"]),
        ("en", "I jumped back in the video", ["FrequencyEventSeekBackward"]),
        ("en", "how much did the office hours help", []),
        ("en", "would more hours help", ["TotalTimeSessions"]),
        ("en", "where do I start, is it too late?", []),
        ("en", "I started too late", ["DelayLecture"]),
        ("fr", "Par où commencer, il est trop tard maintenant ?", []),
        ("fr", "j'ai commencé trop tard", ["DelayLecture"]),
        ("fr", "commencer les leçons plus tôt", ["DelayLecture"]),
        ("fr", "J'étais plus lent que les autres à ouvrir les vidéos ?", ["DelayLecture"]),
        ("fr", "suis-je régulière ?", ["RegPeakTimeDayHour"]),
        ("fr", "refaire un quiz, ça aide ?", ["CompetencyAlignment"]),
        ("fr", "je mets souvent la vidéo en pause", ["FrequencyEventPause"]),
        ("fr", "ai-je fait assez de séances le week-end", ["NumberOfSessions", "TotalClicksWeekend"]),
        ("fr", "my fixed hours of study", ["RegPeakTimeDayHour"]),
        ("fr", "qu'est-ce qui n'a pas marché en semaine 4 ?", []),
    ],
)
def test_a_question_names_what_its_words_say(language: str, question: str, features: list[str]) -> None:
    assert [each.feature.name for each in named(question, catalogue_in(language), language)] == features


def test_of_a_long_question_only_the_first_words_are_read() -> None:
    catalogue, long = catalogue_in("en"), "my " * LONGEST
    assert not named(f"{long} fixed hours", catalogue, "en")
    assert named(f"{long[:-30]} fixed hours", catalogue, "en")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_behaviour_is_found_by_its_label_before_all_others(language: str) -> None:
    catalogue = catalogue_in(language)
    for feature in catalogue:
        assert named(f"so {feature.the}, then?", catalogue, language)[0].feature == feature


def test_what_the_question_names_comes_first_on_both_sides_of_a_week(tmp_path: Path) -> None:
    asked = "did I open the lectures too late in week 2?"
    assert said_first(tmp_path, asked) == f"{LATE}, and this mattered for your result."
    assert said_first(tmp_path, asked, key="went_well") == said_first(tmp_path, asked)


def test_two_behaviours_share_one_sentence_and_a_third_is_left_out(tmp_path: Path) -> None:
    asked = "did delay before watching lectures hurt, or the number of study sessions, or the weekend?"
    assert said_first(tmp_path, asked) == f"{LATE}, and this mattered for your result; and {SESSIONS}."


def test_where_more_is_not_better_it_is_only_called_more_or_less(tmp_path: Path) -> None:
    said = said_first(tmp_path, "and my weekends?")
    assert said.endswith("3 clicks for clicks on the weekend (class 7 clicks), less than most of the class.")


def test_the_value_that_most_have_is_like_the_class_and_no_weakness(tmp_path: Path) -> None:
    who = student(features={("TotalClicksProblem", 2): 20.0})
    said = said_first(tmp_path, "did I answer more problems?", who, "no_data")
    assert said.endswith("(class 20 answers), much like the rest of the class.")


def test_a_behaviour_without_a_value_in_the_week_is_not_told(tmp_path: Path) -> None:
    assert not said_first(tmp_path, "and pausing?")


def test_a_week_without_influence_still_tells_what_is_asked(tmp_path: Path) -> None:
    said = said_first(tmp_path, "how many sessions did I have?", student(features=OWN), "no_data")
    assert said == f"In week 2 you had {SESSIONS}."


def test_a_plan_is_told_with_the_latest_own_value(tmp_path: Path) -> None:
    assert impact(tmp_path, "start early")["yours"] == f"{LATE}."


def test_what_a_plan_names_wins_over_what_it_resembles(tmp_path: Path) -> None:
    plan = impact(tmp_path, "hold a steady pace through the whole course, as to number of study sessions")
    assert plan["dimension"] == "Effort"
    asked = impact(tmp_path, "zebra", "would it help to start earlier?")
    assert asked["dimension"] == "Proactivity" and "Proactivity" not in asked["alternatives"]


def test_an_everyday_word_does_not_decide_what_a_plan_is_about(tmp_path: Path) -> None:
    assert impact(tmp_path, "watch new videos on the day of release")["dimension"] == "Proactivity"


def test_a_dimension_without_any_value_has_no_yours(tmp_path: Path) -> None:
    who = student(features={("DelayLecture", 2): 90 * HOURS})
    seen = answer(tmp_path, "impact_of_student_behaviors", "", who, query="fixed hours of study")
    assert seen["dimension"] == "Regularity" and "yours" not in seen


def test_steering_videos_is_measured_and_told_with_the_own_value(tmp_path: Path) -> None:
    who = student(features={("FrequencyEventPause", 1): 0.08})
    seen = answer(tmp_path, "impact_of_student_behaviors", "", who, query="pause the video more often")
    assert seen["no_data"] == (
        "This is measured, but it says little about passing here. In week 1 you had 8 percent for share of pause "
        "clicks (class no data)."
    )
