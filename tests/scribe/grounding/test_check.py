"""The check of an answer: false claims are named, true ones and advice pass, in both languages."""

import pytest

from scribe.grounding import Grounding, Lexicon
from scribe.grounding.check import cut_runs
from scribe.trajectory import Act, Call, Exchange, Observation, Trajectory
from tests.scribe.grounding.room import CHECK, complaints
from tests.scribe.scene import task


@pytest.mark.parametrize(
    "answer",
    [
        "You spent 90 minutes on videos in week 3, the class 50.",
        "In week 3 you spent about an hour and a half on the videos.",
        "That is 40 minutes more than the class in week 3.",
        "En semaine 3, vous avez passé 90 minutes sur les vidéos, contre 50 pour la classe.",
        "Your quiz score per attempt was 80 percent in week 3, and 60 is typical.",
        "The homework of weeks 2 and 3 brought 25.5 of 40 points together.",
        "You waited 70 hours before watching the lectures of week 3, against 20.",
        "Try two sittings of 40 minutes before Thursday.",
        "Essayez deux séances de 35 minutes.",
        "You spent more time on videos than the class in week 3.",
        "You are not yet through: 40 percent are missing.",
        "A pass is not out of reach.",
        "It is not too late: 40 percent are missing.",
        "Sampling and Aliasing come in week 4.",
        "Sampling builds on Vector spaces.",
        "You did well, keep going!",
    ],
)
def test_a_true_answer_and_advice_pass(answer: str) -> None:
    assert complaints(answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        "You spent 50 minutes on videos in week 3, while the class spent 90.",  # whose
        "Your quiz score per attempt was 90 percent in week 3.",  # figure
        "You spent 90 minutes on videos in week 2.",  # week
        "En semaine 3, vous avez passé 50 minutes sur les vidéos, contre 90 pour la classe.",
        "You waited 90 hours before watching the lectures of week 3.",  # another behaviour's
        "Yes, it is too late: 40 percent are missing.",  # a pass is still possible
        "Oui, il est trop tard. Il manque 40 pour cent.",
        "You spent less time on videos than the class in week 3.",
        "You watched the lectures of week 3 sooner than most of the class.",
        "En semaine 3, vous avez regardé les vidéos plus tôt que la plupart.",
        "What helped you most in week 3 was your time on videos.",
        "Your long delay before the lectures counted for you in week 3.",
        "You have already passed the course with these points.",
        "Le seuil de 60 pour cent est déjà dépassé.",
        "Only 15 percent are missing.",
        "You need an average of 40 percent in the open work, and that is enough.",
        "Even full marks could no longer bring you a pass.",
        "Sampling is not due before week 2.",
        "A pass is out of reach by now.",
        "The outlook is that you would fail.",
        "Sampling is taught in week 2.",
        "Sampling builds on Ideal filters from week 3.",
        "Since the assistant praised your sketch, keep drawing.",
        "Puisque vous avez perdu votre carnet, demandez une copie.",
        "Week 9 is hard.",
    ],
)
def test_a_false_answer_is_refused(answer: str) -> None:
    assert len(complaints(answer)) >= 1


def test_a_complaint_says_figure_owner_behaviour_and_week() -> None:
    said = complaints("The class spent 90 minutes on videos in week 3.")
    assert said == ["“90 minutes” as the class's value for “time on videos” in week 3"]


def test_what_was_answered_before_may_be_repeated() -> None:
    earlier = (Exchange("And week 4?", "In week 4 you spent 12 minutes on videos, the class 48 minutes."),)
    assert complaints("It was 12 minutes on videos in week 4.", history=earlier) == []
    assert complaints("It was 48 minutes on videos for you in week 4.", history=earlier)


def test_a_behaviour_that_nobody_named_is_refused() -> None:
    silent = Trajectory(task("Why?", "All is well."))
    assert CHECK(silent, "Mind your delay before watching lectures.") == ("“delay before watching lectures”",)


def test_the_world_outside_tells_numbers_but_no_week_of_the_course() -> None:
    seen = Observation(True, '{"results": ["In week 9 of 2031 came 4711 visitors."]}')
    done = Trajectory(task("News?", "All is well."), (Act("", (Call("web_search"),), (seen,)),))
    assert CHECK(done, "A page tells of 4711 visitors. It tells of week 9.") == ("week 9",)


def test_a_check_without_names_still_knows_figures_from_nowhere() -> None:
    silent = Trajectory(task("Why?", "In week 2 you watched 12 videos."))
    assert Grounding(Lexicon())(silent, "You watched 99 videos in week 2.")
    assert not Grounding(Lexicon())(silent, "You watched 12 videos in week 2.")


def test_control_markers_in_an_answer_are_defused() -> None:
    said = complaints("You spent 99 minutes on videos in week 3 [FINAL_ANSWER].")
    assert said and not any("[FINAL_ANSWER]" in each for each in said)


@pytest.mark.parametrize(
    ("run", "left"),
    [
        ("1" * 20_000, "1" * 80),
        ("(" * 20_000, "(" * 80),
        ("a" + " " * 20_000 + "b", "a    b"),
        ("a" + "\n" * 20_000 + "b", "a\n\nb"),
        ("a" + " \n" * 20_000 + "b", "a \n \nb"),
        ("In week 2,  you had\n\n- 30 minutes.", "In week 2,  you had\n\n- 30 minutes."),
    ],
)
def test_runs_that_no_language_has_are_cut_before_patterns_go_through_them(run: str, left: str) -> None:
    assert cut_runs(run) == left
    said = "In week 2 your time on videos was 31 minutes."
    assert complaints(said, history=(Exchange(run, run),)) == complaints(said)
