"""Search by words: accents, inflections, misspellings, and how much of a query is covered."""

import pytest

from tools.search.lexical_overlap import LexicalOverlap, TokenOverlap
from tools.search.text import LanguageWords

FRENCH = LexicalOverlap(
    (
        "Étalement urbain. La ville s'étend plus vite que sa population.",
        "Ellipsoïde et géoïde. La surface moyenne des mers ; l'altitude en dépend.",
        "Cadastre. Le registre des parcelles et de leurs propriétaires.",
    ),
    LanguageWords("fr"),
)
ENGLISH = LexicalOverlap(
    ("The discrete Fourier transform, or DFT.", "The discrete Fourier series, or DFS.", "A/B testing of prices."),
    LanguageWords("en"),
)


def best(lexical: LexicalOverlap, query: str) -> int:
    covered = lexical.measure_words(lexical.correct(query))
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
    assert ENGLISH.correct("What's the discreet Furier  transform, please?") == (
        "What's the discrete fourier  transform, please?"
    )
    assert ENGLISH.correct("dfz and zebras") == "dfz and zebras"


def test_nothing_of_the_query_in_any_text_covers_nothing() -> None:
    for query in ("", "?!", "the of and", "zebra", "\0", "🦆", "x" * 10_000):
        assert not ENGLISH.measure_words(query).any(), query


def test_a_word_that_is_nowhere_lowers_what_the_others_cover() -> None:
    known, mixed = ENGLISH.measure_words("fourier series"), ENGLISH.measure_words("fourier series zebra")
    assert 0 < mixed[1] < known[1] < 1
    assert ENGLISH.measure_words("series")[1] > ENGLISH.measure_words("series zebra zebu")[1] > 0


def test_letters_in_common_bring_words_of_one_family_together() -> None:
    family = ENGLISH.measure_letters("transformation")
    assert family[0] > family[1] and not ENGLISH.measure_words("transformation")[1]


def test_coverage_is_bm25_over_the_whole_weight_of_the_query() -> None:
    covered = TokenOverlap([["a", "b"], ["b", "b"], ["c", "d"]]).measure(["a", "b"])
    rare, common = 0.9808292530, 0.4700036292  # ln(1 + 2.5 / 1.5) and ln(1 + 1.5 / 2.5)
    # All texts are of mean length, so one occurrence holds 1 / 2.2 of a weight and two hold 2 / 3.2.
    assert covered == pytest.approx([1 / 2.2, common * 2 / 3.2 / (rare + common), 0], rel=1e-5)


def test_texts_without_words_are_never_found_and_do_no_harm() -> None:
    assert not LexicalOverlap(("", "?"), LanguageWords("en")).measure_words("anything").any()


def test_a_language_that_is_not_known_is_read_as_english() -> None:
    assert (
        LanguageWords("rm").split_telling("Explain the samples")
        == LanguageWords("en").split_telling("Explain the samples")
        == ["samples"]
    )
