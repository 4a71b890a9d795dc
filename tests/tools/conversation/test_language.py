"""The language of a conversation: the course's, or English where the student plainly writes in it."""

import pytest

from tools.conversation.language import detect_language


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


@pytest.mark.parametrize("question", ["pourquoi la semaine 4 ?", "warum war das so?", "why?"])
def test_a_course_in_english_is_answered_in_english(question: str) -> None:
    assert detect_language(question, "en") == "en"


def test_a_language_whose_words_nobody_knows_gives_way_to_plain_english_only() -> None:
    assert detect_language("warum geht das nicht?", "xx") == "xx"
    assert detect_language("why was that so bad, and what now?", "xx") == "en"
