"""Search by words: accents, inflections, misspellings, and how much of a query is covered."""

import pytest

from tools.search.coverage import Coverage
from tools.search.lexical import Lexical
from tools.search.names import Names
from tools.search.words import Words

FRENCH = Lexical(
    (
        "Étalement urbain. La ville s'étend plus vite que sa population.",
        "Ellipsoïde et géoïde. La surface moyenne des mers ; l'altitude en dépend.",
        "Cadastre. Le registre des parcelles et de leurs propriétaires.",
    ),
    Words("fr"),
)
ENGLISH = Lexical(
    ("The discrete Fourier transform, or DFT.", "The discrete Fourier series, or DFS.", "A/B testing of prices."),
    Words("en"),
)


def best(lexical: Lexical, query: str) -> int:
    covered = lexical.coverage(lexical.corrected(query))
    assert covered.max() > 0
    return int(covered.argmax())


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("etalement", 0),
        ("les étalements urbains", 0),
        ("ELLIPSOIDES", 1),
        ("c'est quoi l'altitude ?", 1),
        ("elipsoïde", 1),
        ("gèoide", 1),
        ("ge\u0301oi\u0308de", 1),
        ("proprietaire d'une parcelle", 2),
        ("cadaster", 2),
    ],
)
def test_accents_inflections_and_small_mistakes_do_no_harm_in_french(query: str, place: int) -> None:
    assert best(FRENCH, query) == place


@pytest.mark.parametrize(("query", "place"), [("DFT", 0), ("dfs?", 1), ("a/b test", 2), ("fuorier serie", 1)])
def test_in_english_too_but_short_names_are_told_apart(query: str, place: int) -> None:
    assert best(ENGLISH, query) == place


def test_a_correction_changes_the_misspelt_word_alone() -> None:
    assert ENGLISH.corrected("What's the discreet Furier  transform, please?") == (
        "What's the discrete fourier  transform, please?"
    )
    assert ENGLISH.corrected("dfz and zebras") == "dfz and zebras"


def test_nothing_of_the_query_in_any_text_covers_nothing() -> None:
    for query in ("", "?!", "the of and", "zebra", "\0", "🦆", "x" * 10_000):
        assert not ENGLISH.coverage(query).any(), query


def test_a_word_that_is_nowhere_lowers_what_the_others_cover() -> None:
    known, mixed = ENGLISH.coverage("fourier series"), ENGLISH.coverage("fourier series zebra")
    assert 0 < mixed[1] < known[1] < 1
    assert ENGLISH.coverage("series")[1] > ENGLISH.coverage("series zebra zebu")[1] > 0


def test_letters_in_common_bring_words_of_one_family_together() -> None:
    family = ENGLISH.likeness("transformation")
    assert family[0] > family[1] and not ENGLISH.coverage("transformation")[1]


def test_coverage_is_bm25_over_the_whole_weight_of_the_query() -> None:
    covered = Coverage([["a", "b"], ["b", "b"], ["c", "d"]]).of(["a", "b"])
    rare, common = 0.9808292530, 0.4700036292  # ln(1 + 2.5 / 1.5) and ln(1 + 1.5 / 2.5)
    # All texts are of mean length, so one occurrence holds 1 / 2.2 of a weight and two hold 2 / 3.2.
    assert covered == pytest.approx([1 / 2.2, common * 2 / 3.2 / (rare + common), 0], rel=1e-5)


def test_texts_without_words_are_never_found_and_do_no_harm() -> None:
    assert not Lexical(("", "?"), Words("en")).coverage("anything").any()


def test_names_stand_in_a_query_word_by_word_and_the_longest_counts() -> None:
    names = Names((("filter", "filter design"), ("stability",), ("DFT",), ("ideal filters",)), Words("en"))
    assert names.standing_in("what is Filter Design?") == {0: 2}
    assert names.standing_in("an ideal filter") == {0: 1, 3: 2}
    assert names.standing_in("design of a dft") == {2: 1}
    assert names.standing_in("instability") == {}


def test_a_language_that_is_not_known_is_read_as_english() -> None:
    assert Words("rm").telling("Explain the samples") == Words("en").telling("Explain the samples") == ["samples"]
