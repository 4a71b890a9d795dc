"""Training hints: they learn what is there to learn, and a training question's hint never knows its wording."""

from dataclasses import replace

import numpy as np

from data.course import Course
from finetune import hints
from finetune.hints import FOLDS, Hinting, Sample, by_fold, fold, plain, train
from finetune.hints.report import report
from tests.tools.small_course import ScriptedEmbedder
from tools.embedder import Vectors
from tools.reading.known_questions import Known


class ScriptedPlaces:
    """Puts "wording 7" at place 7."""

    fingerprint = "places"

    def embed(self, texts: list[str], role: str = "document") -> Vectors:
        return np.eye(32, dtype=np.float32)[[int(text.split()[1]) for text in texts]]


def sample(count: int, kinds: int) -> Sample:
    known = tuple(Known(f"wording {n}", f"kind {n % kinds}") for n in range(count) for _ in range(40))
    texts = tuple(one.wording for one in known)
    vectors = ScriptedPlaces().embed(list(texts))
    return Sample(texts, vectors, (None,) * len(known), known, (None,) * len(known))


def folded(given: Sample) -> Hinting:
    return by_fold([fold(given, "places", number) for number in range(FOLDS)], ScriptedPlaces())


def test_what_was_seen_is_read() -> None:
    given = sample(8, 4)
    told = report(train(given, "places"), ScriptedPlaces(), given)
    assert told.startswith("320 held-out questions: likeliest hint right 1.000")


def test_a_training_questions_hint_comes_from_a_head_that_has_not_seen_its_wording() -> None:
    # Each wording is a kind of its own, so only a head that saw it can name that kind.
    given = sample(10, 10)
    hinting = folded(given)
    knowing = plain(ScriptedPlaces(), train(given, "places"))
    for n in range(10):
        text = f"wording {n}"
        named = hinting(text, (), [text], "")
        assert f"kind {n}" not in named.split("; or ")
        assert f"kind {n}" in knowing(text, (), [text], "").split("; or ")


def test_some_training_questions_get_no_hint() -> None:
    hinting = folded(sample(10, 2))
    without = sum(not hinting(f"text 1 of {n}", (), ["wording 1"], "") for n in range(400))
    assert 5 < without < 40


def test_a_wording_that_leans_on_another_always_follows_one(dsp: Course) -> None:
    made = hints.sample(ScriptedEmbedder(), dsp, held_out=True, draws=1)
    leaning = np.array([one.leaning for one in made.known])
    follows = np.array([before is not None for before in made.before])
    assert follows[leaning].all() and 0.1 < follows[~leaning].mean() < 0.5


def test_a_question_that_asks_two_things_is_learned_as_such(dsp: Course) -> None:
    made = hints.sample(ScriptedEmbedder(), dsp, held_out=True, draws=2)
    doubled = [(one, other) for one, other in zip(made.known, made.others, strict=True) if other]
    assert 0.05 < len(doubled) / len(made.known) < 0.15
    assert all(one.asks != other.asks and not one.leaning for one, other in doubled)


def test_a_head_of_a_fold_has_not_seen_its_wordings_behind_another_question_either() -> None:
    given = sample(10, 10)
    behind = tuple(given.known[-1 - row] for row in range(len(given.known)))
    heads = [fold(replace(given, others=behind), "places", number) for number in range(FOLDS)]
    for n in range(10):
        missing = [head for head in heads if f"kind {n}" not in head.asks]
        assert missing  # no row at all was left from which the head could have learned it
