"""In a course that is taught in French, who asks in English is answered in English."""


import pytest

from data.bundle import find
from scribe.tool import Toolbox
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder
from tools import task
from tools.build import toolbox
from tools.reading.asked_in import language
from tools.reading.known_questions import looked_up
from tools.search.vault import Vault

ENGLISH = ("what is week 6 about", "pls exercises for Nivellement géométrique", "late homework??", "and 4?")
FRENCH = (
    "de quoi parle la semaine 6",
    "ya un quiz en semaine 4 ?",
    "c koi le GPS",
    "4 ?",
    'c quoi "number of sessions"',
    "number of study sessions semaine 3 ?",
    "feedback sur week 3",
    "exam ?",
    "Le rapport dit « your average session length came to 54 minutes ». Est-ce grave ?",
)


@pytest.mark.parametrize("question", ENGLISH)
def test_an_english_question_is_known_as_one(question: str) -> None:
    assert language(question, "fr") == "en"


@pytest.mark.parametrize("question", FRENCH)
def test_a_french_question_stays_french_even_around_an_english_quote(question: str) -> None:
    assert language(question, "fr") == "fr"


def test_what_is_too_short_to_tell_goes_on_in_the_language_of_the_conversation() -> None:
    assert [language("ok", "fr", [before]) for before in (ENGLISH[0], FRENCH[0])] == ["en", "fr"]
    assert language("Nivellement ?", "fr", [FRENCH[0], ENGLISH[0]]) == "en"


def test_a_course_is_spoken_of_in_its_own_language_unless_that_is_french() -> None:
    assert language("de quoi parle la semaine 6", "en") == "en"
    assert language("what is week 6 about", "de") == "de"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    geo = find("geo")
    return toolbox(geo, next(iter(geo.students)), Vault(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors")))


def test_tools_answer_in_the_language_of_the_question(box: Toolbox) -> None:
    call = Call("map_week_to_topic", {"week": 6})
    told = box.call(call, ENGLISH[0], "English").content
    assert '"Week 6 is about Nivellement géométrique (Geometric leveling).' in told
    assert '"La semaine 6 porte sur « Nivellement géométrique ».' in box.call(call, FRENCH[0], "French").content
    assert box.call(call).content == box.call(call, FRENCH[0], "French").content


def test_behaviours_have_their_english_names_there(box: Toolbox) -> None:
    call = Call("get_feature_description", {"feature": "videos opened on time"})
    told = box.call(call, "what are videos opened on time", "English").content
    assert "The behaviour videos opened on time measures" in told
    assert "part de vidéos ouvertes à temps" in box.call(call, "c'est quoi videos opened on time").content


def test_the_task_says_in_which_language_to_answer() -> None:
    geo = find("geo")
    student = next(iter(geo.students))
    assert [task.make(geo, student, each[0]).language for each in (ENGLISH, FRENCH)] == ["English", "French"]


def test_a_rule_by_its_english_name_is_looked_up_in_the_syllabus_s_language() -> None:
    assert looked_up("Office hours and forum", "fr") == "permanences et forum"
    assert looked_up("office hours and forum", "en") == "office hours and forum"
    assert looked_up("who corrects the quizzes", "fr") == "who corrects the quizzes"
