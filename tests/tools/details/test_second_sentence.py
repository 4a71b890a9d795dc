"""The textbook says the first sentence, and one more if that one answers the question."""

from pathlib import Path

import pytest

from data.course import Section
from tests.tools.asking import vault
from tools.details.second_sentence import second_sentence

ENGLISH = Section(
    "4.1",
    "Convolution",
    4,
    "Convolution adds shifted copies of one sequence. The order of the two sequences does not matter at all. "
    "We need convolution because it gives the output of any filter.\n\n"
    "- Convolution is a list item that is useful for nothing.\n\n"
    "It is useful for smoothing and for the echo of a room.\n\n"
    "*Example.* The sequence one two is shifted by one. Two copies of it add up to one three two in the end.\n\n"
    "**Check yourself:** Why is convolution needed because of filters?",
)
FRENCH = Section(
    "2.1",
    "Cadastre",
    2,
    "Le cadastre nomme les parcelles d'une commune. Une commune fictive compte environ mille parcelles. "
    "Il sert à fixer l'impôt foncier de chaque parcelle.",
)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("Why do we need convolution?", "We need convolution because it gives the output of any filter."),
        ("what is convolution useful for", "It is useful for smoothing and for the echo of a room."),
        (
            "give me an example of convolution",
            "Example. The sequence one two is shifted by one. Two copies of it add up to one three two in the end.",
        ),
        ("does the order of the sequences matter at all", "The order of the two sequences does not matter at all."),
    ],
)
def test_a_special_question_gets_the_sentence_that_answers_it(tmp_path: Path, asked: str, sentence: str) -> None:
    assert second_sentence(ENGLISH, asked, "en", vault(tmp_path)) == sentence


@pytest.mark.parametrize(
    "asked", ["", "What is convolution?", "explain convolution please", "difference of convolution and DFT", "pizza"]
)
def test_any_other_question_gets_the_first_sentence_alone(tmp_path: Path, asked: str) -> None:
    assert second_sentence(ENGLISH, asked, "en", vault(tmp_path)) == ""


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("À quoi sert le cadastre ?", "Il sert à fixer l'impôt foncier de chaque parcelle."),
        ("le cadastre et l'impôt foncier", "Il sert à fixer l'impôt foncier de chaque parcelle."),
        ("Qu'est-ce que le cadastre ?", ""),
        ("pourquoi le cadastre", ""),
    ],
)
def test_french_is_compared_by_words(tmp_path: Path, asked: str, sentence: str) -> None:
    assert second_sentence(FRENCH, asked, "fr", vault(tmp_path)) == sentence
