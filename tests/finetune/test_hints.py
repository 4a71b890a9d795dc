"""Training hints: they learn what is there to learn, and a training question's hint never knows its wording."""

import numpy as np
import pytest

from data.course import Course
from finetune import hints
from finetune.hints import Sample, folded, plain, report, train
from tests.tools.small_course import ScriptedEmbedder
from tools.embedder import Vectors
from tools.known_questions import Known


class ScriptedPlaces:
    """Puts "wording 7" at place 7."""

    fingerprint = "places"

    def embed(self, texts: list[str], role: str = "document") -> Vectors:
        return np.eye(32, dtype=np.float32)[[int(text.split()[1]) for text in texts]]


def sample(count: int, kinds: int) -> Sample:
    known = tuple(Known(f"wording {n}", f"kind {n % kinds}") for n in range(count) for _ in range(40))
    vectors = ScriptedPlaces().embed([one.wording for one in known])
    return Sample(vectors, np.zeros(len(known), np.float32), known)


def test_what_was_seen_is_read() -> None:
    given = sample(8, 4)
    assert report(train(given, "places"), given, given).startswith("320 held-out questions: likeliest hint right 1.000")


def test_several_heads_in_one_read_as_they_do_on_average() -> None:
    given = sample(8, 4)
    one, vector = train(given, "places"), given.vectors[0]
    joined = hints.train_jointly(given, "places", 2)
    assert joined.asks == one.asks and joined.inner.shape[1] == 2 * one.inner.shape[1]
    assert joined.asks[int(joined.probabilities(vector, False).argmax())] == "kind 0"
    alone = hints.train_jointly(given, "places", 1)
    np.testing.assert_allclose(alone.probabilities(vector, False), one.probabilities(vector, False), rtol=1e-4)


def test_a_training_questions_hint_comes_from_a_head_that_has_not_seen_its_wording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Each wording is a kind of its own, so only a head that saw it can name that kind.
    given = sample(10, 10)
    hinting = folded(given, ScriptedPlaces())
    knowing = plain(ScriptedPlaces(), train(given, "places"))
    for n in range(10):
        text = f"wording {n}"
        assert f"kind {n}" not in hinting(text, (), [text]).split("; or ")
        assert f"kind {n}" in knowing(text, (), [text]).split("; or ")


def test_some_training_questions_get_no_hint() -> None:
    hinting = folded(sample(10, 2), ScriptedPlaces())
    without = sum(not hinting(f"text 1 of {n}", (), ["wording 1"]) for n in range(400))
    assert 5 < without < 40


def test_a_wording_that_leans_on_another_always_follows_one(dsp: Course) -> None:
    made = hints.sample(ScriptedEmbedder(), dsp, held_out=True, draws=1)
    leaning = np.array([one.leaning for one in made.known])
    assert made.follows[leaning].all() and 0.1 < made.follows[~leaning].mean() < 0.5
