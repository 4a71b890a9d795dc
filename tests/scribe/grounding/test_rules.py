"""A sentence about the rules may use its own words, but not say the opposite of the section that was read."""

import pytest

from tests.scribe.grounding.room import complaints

RULES = {
    "sections": {
        "Late homework": "Late homework loses 10 percent of its points per day and is accepted for at most 3 days. "
        "Late quizzes are not accepted.",
        "Retakes": "You may retake the final exam once, and the better of the two results counts. It is open to "
        "everyone, whether you failed or only want a better grade. The quizzes cannot be repeated.",
        "Pass mark": "No part has a minimum of its own. The grade is not rounded before it is compared.",
        "Final exam": "You may bring two pages of notes, while phones and laptops stay in your bag.",
        "Permanences": "Les permanences ont lieu le lundi et le mercredi de 12 à 14 heures.",
    }
}


@pytest.mark.parametrize(
    "answer",
    [
        "Homework that is two days late still counts, but a quiz cannot be handed in late.",
        "After a retake of the final, your better result is kept.",
        "Anyone may retake the final.",
        "Nobody rounds your grade up to pass.",
        "You may take two pages of notes to the final exam, but no laptop.",
        "Les permanences ont lieu le mercredi de 12 à 14 heures.",
    ],
)
def test_a_rule_in_other_words_passes(answer: str) -> None:
    assert complaints(answer, RULES) == []


@pytest.mark.parametrize(
    "answer",
    [
        "You can still hand in a quiz late.",
        "After a retake of the final, only the second result counts.",
        "Only students who failed may sit the retake.",
        "The grade is rounded up, so you would pass.",
        "Every exam has a minimum of its own that you need to pass.",
        "Feel free to bring your laptop to the final exam.",
        "Les permanences ont lieu le mardi.",
    ],
)
def test_the_opposite_of_a_rule_is_refused(answer: str) -> None:
    assert complaints(answer, RULES)


def test_rules_that_say_nothing_forbid_nothing() -> None:
    silent = {"no_data": "The rules say nothing on this.", "closest_sections": ["Certificate"]}
    assert complaints("The rules forbid the use of AI.", silent)
    assert not complaints("The rules say nothing about AI.", silent)
