"""What a hint says that a question names."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from data import bundle
from data.bundle import COURSES
from scribe.trajectory import Exchange
from tests.tools.small_course import ScriptedEmbedder
from tools.reading.naming import Naming
from tools.reading.naming import naming as shared
from tools.search.vault import Vault


@cache
def naming(course: str) -> Naming:
    return Naming(bundle.load(COURSES / course))


@pytest.mark.parametrize(
    ("course", "question", "told"),
    [
        ("dsp", "why was w4 bad", "; here week 4"),
        ("dsp", "what happened in the fourth week", "; here week 4"),
        ("dsp", "some problems on aliassing pls", "; here Aliasing"),
        ("dsp", "do complex exponentials in discrete time come up", "; here Complex exponentials in discrete time"),
        ("dsp", "weeks 3 and 5 please", "; here week 3, week 5"),
        ("dsp", "everything from week 1 to week 6", ""),
        ("dsp", "is my quiz score per attempt in week 2 bad", "; here week 2, quiz score per attempt"),
        ("dsp", "why is my outlook so bad?", ""),
        ("dsp", "week 40 was fine", ""),
        ("dsp", "what is there to do next week", "; here week 6"),
        ("dsp", "was last week ok", "; here week 5"),
        ("lnv", "explain runway to a child", "; here Cash flow and runway"),
        ("lnv", "I am testing you", ""),
        ("lnv", "what do I need for the unit economics week", "; here week 6, Unit economics"),
        ("geo", "I can't do bearings", "; here Calcul du gisement"),
        ("geo", "la 2e semaine", "; here week 2"),
        ("geo", "que mesure « videos opened on time » ?", "; here part de vidéos ouvertes à temps"),
        ("geo", "what are videos opened on time", "; here videos opened on time"),
        ("dsp", "is my share of videos opened early bad?", "; here videos opened early"),
        ("dsp", "it says \"in week 3 your share was 30 percent\". so what is week 7 about", "; here week 7"),
        ("va", "chaque semaine 3 heures", ""),
    ],
)
def test_a_name_is_found_however_a_student_writes_it(course: str, question: str, told: str) -> None:
    assert naming(course)(question, (), "en" if "what are" in question else "") == told


PREREQUISITES = Exchange(
    "what do I need before week 6?",
    "Before week 6 you should know Approximation by projection (week 3), DTFT (week 4) and Ideal filters (week 5).",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("exercises on the last one", "; before week 6, Ideal filters"),
        ("where is the second explained", "; before week 6, DTFT"),
        ("and how about the 4th?", "; here week 4"),
        ("and 7?", "; here week 7"),
        ("what is the FFT then", "; here FFT; before week 6"),
    ],
)
def test_what_a_question_leaves_out_comes_from_the_exchange_before(question: str, told: str) -> None:
    assert naming("dsp")(question, [PREREQUISITES]) == told


def test_an_answer_that_names_one_thing_only_is_what_one_goes_on_about() -> None:
    said = Exchange("what's that foldback thing", "Aliasing makes high frequencies look low. It is taught in week 6.")
    assert naming("dsp")("something to try it on?", [said]) == "; before week 6, Aliasing"


def test_the_first_of_two_exchanges_can_be_meant() -> None:
    history = [Exchange("explain aliasing", "It is …"), Exchange("and the FFT", "It is …")]
    assert naming("dsp")("an exercise on the first", history) == "; before Aliasing"
    assert naming("dsp")("an exercise on that", history) == "; before FFT"


def test_a_later_week_of_the_same_course_has_another_next_week(tmp_path: Path) -> None:
    dsp, vault = bundle.load(COURSES / "dsp"), Vault(ScriptedEmbedder(), tmp_path)
    told = [shared(each, vault)("what is there to do next week") for each in (dsp, replace(dsp, weeks_done=8))]
    assert told == ["; here week 6", "; here week 9"]
    assert shared(dsp, vault) is shared(dsp, vault)


def test_a_name_in_another_language_is_known_by_its_own() -> None:
    assert naming("geo").own("Corrections météorologiques") == "Corrections météorologiques"
    assert naming("geo").own("meteorological corrections") == "Corrections météorologiques"
    assert naming("dsp").own("aliasing in old films") == ""
    assert naming("dsp").own("the weather") == ""
