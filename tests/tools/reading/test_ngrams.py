"""What a question's words and letters are, before they are hashed."""

import numpy as np

from tools.reading.ngrams import BUCKETS, MOST_WORDS, features, places


def test_words_their_neighbours_and_their_letters() -> None:
    found = list(features("Une semaine"))
    assert {"une", "semaine", "< une", "une semaine", "semaine >", "<un", "une>", "<sema", "aine>"} <= set(found)
    assert not any(" " in each and "<" in each and ">" in each for each in found)


def test_accents_capitals_and_numbers_make_no_difference() -> None:
    assert list(features("Été de la semaine 5")) == list(features("ete DE la SEMAINE 12"))


def test_every_text_has_places_within_bounds_and_a_long_one_is_cut() -> None:
    for text in ("", "?", "日本", "a" * 5000, "why? " * 1000):
        found = places(text)
        assert found.dtype == np.int64 and ((found >= 0) & (found < BUCKETS)).all()
    assert len(places("mot " * 10_000)) == len(places("mot " * MOST_WORDS))
