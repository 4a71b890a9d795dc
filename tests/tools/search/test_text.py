"""Where sentences end."""

import pytest

from tools.search.text import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("La ville grandit. Étendre coûte. À pied, non.", ("La ville grandit.", "Étendre coûte.", "À pied, non.")),
        ("Est-ce vrai ? Œuvrez ! Ça dépend.", ("Est-ce vrai ?", "Œuvrez !", "Ça dépend.")),
        ("On le dit. « Un plan » suffit. 3 suffisent.", ("On le dit.", "« Un plan » suffit.", "3 suffisent.")),
        ("A tone, e.g. A4, has 440 Hz. Fine.", ("A tone, e.g. A4, has 440 Hz.", "Fine.")),
        ("Un repère, p. ex. Berne. Bien.", ("Un repère, p. ex. Berne.", "Bien.")),
        ("Environ 3,5 % par an. étrange.", ("Environ 3,5 % par an. étrange.",)),
    ],
)
def test_a_sentence_may_begin_with_any_capital(text: str, expected: tuple[str, ...]) -> None:
    assert split_sentences(text) == expected


def test_lists_and_code_are_no_sentences() -> None:
    assert split_sentences("Première phrase.\n\n- un point. Écrit ainsi.\n\n`x = 1`\n\nÀ la fin.") == (
        "Première phrase.",
        "À la fin.",
    )
