"""What a conversation begins with: the question as a task, the line on the course, the language to answer in."""

from dataclasses import replace

import pytest

from data.bundle import find
from data.course import Course, Student
from scribe.plumbing.errors import UsageError
from scribe.trajectory import Exchange
from tests.tools.small_course import course_with, student
from tools.conversation import LANGUAGES, THEORIES, describe_course, detect_language, make_task

REPORTS = {"nr": "What matters.", "con": "What made the difference."}


@pytest.fixture
def asking() -> Student:
    return replace(student(), reports=REPORTS)


@pytest.fixture
def course(asking: Student) -> Course:
    return course_with(asking)


def test_a_task_holds_the_question_as_it_was_asked_and_the_report_of_its_kind(course: Course) -> None:
    history = (Exchange("And before?", "So it was."),)
    made = make_task(course, "s1", "whats up with week 2?!", "con", history)
    assert (made.course, made.student, made.question) == ("sig", "s1", "whats up with week 2?!")
    assert (made.report, made.theory, made.history) == (REPORTS["con"], "con", history)
    assert (made.about, made.language) == (describe_course(course), "English")


def test_a_kind_of_report_that_the_student_has_not_is_refused_with_those_there_are(course: Course) -> None:
    with pytest.raises(UsageError, match="student s1 has no ac report; there are: con, nr"):
        make_task(course, "s1", "why?", "ac")
    with pytest.raises(UsageError, match="there are: none"):
        make_task(course, "c0", "why?")


@pytest.mark.parametrize(
    ("done", "weeks", "told"),
    [
        (2, 4, "weeks 1 to 2 are over and week 3 comes next."),
        (1, 4, "week 1 is over and week 2 comes next."),
        (4, 4, "weeks 1 to 4 are over."),
    ],
)
def test_the_line_on_the_course_says_which_weeks_there_are_and_which_are_over(
    course: Course, done: int, weeks: int, told: str
) -> None:
    said = describe_course(replace(course, weeks_done=done, weeks=weeks))
    assert said == f"Signals in Short (sig) has weeks 1 to {weeks}; {told}"


def test_a_french_course_is_answered_in_the_language_of_the_question(course: Course) -> None:
    french = replace(course, language="fr")
    asked = {"pourquoi la semaine 2 ?": "French", "why was week 2 so bad?": "English", "DFT ?": "French"}
    assert {question: make_task(french, "s1", question).language for question in asked} == asked
    assert make_task(french, "s1", "DFT ?", history=(Exchange("why was it so bad?", "So."),)).language == "English"
    assert set(asked.values()) == set(LANGUAGES.values())


def test_every_demo_student_has_reports_of_the_known_kinds_only() -> None:
    assert {theory for each in find("geo").students.values() for theory in each.reports} == set(THEORIES)


@pytest.mark.parametrize(
    "question",
    [
        "why did week 4 go so badly?",
        "what should I do next?",
        "can you explain the cadastre to me",
        "how is étalement urbain measured?",
    ],
)
def test_english_words_make_it_english_in_a_french_course(question: str) -> None:
    assert detect_language(question, "fr") == "en"


@pytest.mark.parametrize(
    "question",
    [
        "pourquoi la semaine 4 s'est-elle mal passée ?",
        "que dois-je faire maintenant ?",
        "c'est quoi le cadastre",
        "et pour le « number of study sessions » ?",
        "delay before watching lectures : est-ce que je suis en retard ?",
    ],
)
def test_french_words_leave_it_in_french_whatever_english_names_they_hold(question: str) -> None:
    assert detect_language(question, "fr") == "fr"


@pytest.mark.parametrize("question", ["", "cadastre", "???", "géoïde", "DFT 4"])
def test_what_tells_nothing_is_in_the_courses_language(question: str) -> None:
    assert detect_language(question, "fr") == "fr"


def test_of_a_question_too_short_to_tell_the_latest_before_it_that_tells_decides() -> None:
    english, french = "why did the week go so badly?", "pourquoi est-ce que la semaine est mauvaise ?"
    assert detect_language("cadastre?", "fr", [french, english]) == "en"
    assert detect_language("cadastre ?", "fr", [english, french, "géoïde"]) == "fr"
    assert detect_language("what is the geoid?", "fr", [french]) == "en"  # the question itself goes before


@pytest.mark.parametrize("question", ["what about the semaine 4?", "warum war das so?", "why?"])
def test_a_course_in_english_is_answered_in_english(question: str) -> None:
    assert detect_language(question, "en") == "en"


def test_a_language_whose_words_nobody_knows_gives_way_to_plain_english_only() -> None:
    assert detect_language("warum geht das nicht?", "xx") == "xx"
    assert detect_language("why was that so bad, and what now?", "xx") == "en"


@pytest.mark.parametrize("question", ["Que dois-je savoir avant la semaine 8 ?", "Et la semaine 2 ?", "C'est grave ?"])
def test_a_french_question_in_an_english_course_is_answered_in_french(question: str) -> None:
    assert detect_language(question, "en") == "fr"
    assert detect_language("DFT?", "en", [question]) == "fr"
