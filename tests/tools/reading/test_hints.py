"""Hints: what a question seems to ask, likeliest first, and none from a network for another embedder."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from data.bundle import EMBEDDED, HINTS
from scribe.errors import ModelFileError
from scribe.trajectory import Exchange
from tools.embedder import MINILM_SHA256, MiniLM, Role, Vectors
from tools.reading.hints import SURE, Hints, parted, worded
from tools.reading.known_questions import READ, SAME, asks, known
from tools.reading.ngrams import BUCKETS, places
from tools.reading.reader import BOTH, LEANING, Head, embedder_for, load, save

ASKS = ("how to improve", "how the grade stands", "small talk", "what a topic means", asks(SAME))
TEXTS = ("improve", "grade", "hello", "topic")


class ScriptedWords:
    """Each text of TEXTS has a direction of its own; several in one question share it out."""

    fingerprint = "scripted"

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        return np.array([[float(word in text) for word in TEXTS] for text in texts], np.float32)


def head(fingerprint: str = "scripted") -> Head:
    """Passes each direction on to its name; what follows something is the same as before, unless it is small talk.

    It reads no letters.
    """
    letters, through = np.zeros((BUCKETS, 1), np.float32), np.insert(np.eye(10, 5, dtype=np.float32), 4, 0.0, axis=0)
    outer = np.diag([0.3, 0.3, 1.0, 0.3, 4.0]).astype(np.float32)
    return Head(letters, through, np.zeros(5, np.float32), outer, np.zeros(5, np.float32), ASKS, fingerprint)


def spelling(*words: str) -> Head:
    """Reads nothing but letters: a question with the first word asks the first thing of ASKS, and so on."""
    letters = np.zeros((BUCKETS, len(words)), np.float32)
    for place, word in enumerate(words):
        letters[places(word), place] = 10.0
    through = np.concatenate([np.zeros((4, len(words))), np.eye(len(words)), np.zeros((1 + len(words), len(words)))])
    zeros = np.zeros(len(words), np.float32)
    outer = np.eye(len(words), dtype=np.float32) * 0.1
    return Head(letters, through.astype(np.float32), zeros, outer, zeros, ASKS[: len(words)], "scripted")


class ScriptedHead(Head):
    """Sure of what a question with one of TEXTS asks, and of two things in one with several; else it is small talk."""

    def probabilities(self, question: str, vector: Vectors, before: str | None) -> NDArray[np.float64]:
        asked = [place for place, word in enumerate(TEXTS) if word in question and word != "hello"] or [2]
        shares = np.zeros(len(self.asks))
        shares[[place + len(ASKS) * (len(asked) > 1) for place in asked]] = 1 / len(asked)
        return shares


def scripted() -> Hints:
    plain = head()
    names = (*ASKS, *(f"{name}{BOTH}" for name in ASKS))
    arrays = plain.letters, plain.inner, plain.inner_bias, plain.outer, plain.outer_bias
    return Hints(ScriptedWords(), ScriptedHead(*arrays, names, "scripted"))


@pytest.fixture
def hints() -> Hints:
    return Hints(ScriptedWords(), head())


def test_a_clear_question_has_one_reading(hints: Hints) -> None:
    assert hints("hello") == "small talk"


def test_an_unclear_question_has_up_to_three_the_likeliest_first(hints: Hints) -> None:
    named = hints("improve my grade on this topic").split("; or ")
    assert sorted(named) == ["how the grade stands", "how to improve", "what a topic means"]


def test_letters_are_read_however_they_are_accented() -> None:
    read = Hints(ScriptedWords(), spelling("améliorer", "note"))
    apart = unicodedata.normalize("NFD", "améliorer")
    assert read("AMELIORER ?") == read("améliorer") == read(apart) == ASKS[0]


@pytest.mark.parametrize(
    "question",
    [
        "hello there, my grade is what? And how to improve",
        "my grade is what how to improve",
        "my grade it is, and improve it",
    ],
)
def test_two_things_that_are_asked_at_once_are_both_named_in_their_order(question: str) -> None:
    hints = scripted()
    assert hints(question) == f"{ASKS[1]}; and {ASKS[0]}"
    assert hints.two("my grade is what?", None) == () == hints.two("improve grade", None)


@pytest.mark.parametrize(
    ("question", "ways"),
    [("", 0), ("a b c", 0), ("a b c d", 1), ("why is it, or why not? and when is it", 2), ("word " * 500, 8)],
)
def test_a_question_is_parted_at_marks_and_joints_else_anywhere(question: str, ways: int) -> None:
    found = list(parted(question))
    assert len(found) == ways
    assert all(f"{one} {other}" == " ".join(question.split()) for one, other in found)


def test_ways_of_parting_are_spread_over_the_question() -> None:
    sizes = [len(one.split()) for one, _ in parted("word " * 400)]
    assert sizes[0] == 2 and sizes[-1] > 300


def test_the_same_as_before_names_what_was_asked_before(hints: Hints) -> None:
    before = (Exchange("my grade?", "28 of 39 percent."),)
    assert hints("and now?", before).startswith("how the grade stands, the same as before")
    assert "before" not in hints("and now?")


def test_follow_ups_of_follow_ups_ask_what_the_last_question_with_a_meaning_of_its_own_asked(hints: Hints) -> None:
    before = (Exchange("my grade?", "28."), Exchange("and then?", "29."), Exchange("and then?", "30."))
    assert hints("and now?", before).split("; or ")[0] == "how the grade stands, the same as before"


def test_hints_of_another_embedder_are_not_used(caplog: pytest.LogCaptureFixture) -> None:
    assert Hints(ScriptedWords(), head("another"))("hello") == ""
    assert "learned for another embedder" in caplog.text


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    save(head(), tmp_path / HINTS)
    assert Hints(ScriptedWords(), load(tmp_path / HINTS))("hello") == "small talk"
    assert [path.name for path in tmp_path.iterdir()] == [HINTS]


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "zeros", "other shapes"])
def test_a_file_that_holds_no_hints_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / HINTS
    save(replace(head(), asks=ASKS[:2]) if damage == "other shapes" else head(), path)
    whole = path.read_bytes()
    path.unlink()
    contents = {"empty": b"", "cut": whole[: len(whole) // 2], "zeros": bytes(4000), "other shapes": whole}
    if damage != "missing":
        path.write_bytes(contents[damage])
    with pytest.raises(ModelFileError, match=r"hints\.npz.*clone the repository again"):
        load(path)


def test_hints_that_are_not_told_what_was_asked_before_are_named(tmp_path: Path) -> None:
    plain = head(MINILM_SHA256)
    inner = np.zeros((384 + plain.letters.shape[1] + 1, 5), np.float32)
    save(replace(plain, inner=inner), tmp_path / HINTS)
    with pytest.raises(ModelFileError, match="do not fit together"):
        load(tmp_path / HINTS)


@cache
def shipped() -> Hints:
    head = load(EMBEDDED / HINTS)
    return Hints(embedder_for(head, MiniLM()), head)


@pytest.mark.parametrize(
    ("question", "leans"),
    [("and week 5?", True), ("why is that?", True), ("What is week 6 about?", False), ("exercises on the FFT", False)],
)
def test_the_hints_that_come_with_scribe_know_what_leans_on_a_question_before(question: str, leans: bool) -> None:
    assert shipped().leans(question, "") is leans


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("What must I know before week 8?", "what a week builds on"),
        ("why did my score drop in week 5?", "what went wrong in a week"),
        ("how late may I hand in homework?", "what the rules say on late homework and quizzes"),
    ],
)
def test_the_hints_that_come_with_scribe_read_plain_questions(question: str, reading: str) -> None:
    assert shipped()(question).split("; or ")[0] == reading


@pytest.mark.parametrize(
    ("readings", "before", "hint"),
    [
        (("same_later", "smalltalk"), "grade", "how the grade stands, the same as before, a week later; or small talk"),
        (("grade", "same"), "week_why", "how the grade stands; or what went wrong in a week, the same as before"),
        (("same_earlier",), "", "the same as before, a week earlier"),
    ],
)  # fmt: skip
def test_what_asks_the_same_again_says_what_that_was(readings: tuple[str, ...], before: str, hint: str) -> None:
    assert worded([asks(each) for each in readings], asks(before) if before else "") == hint


def reading(shares: Mapping[str, float]) -> Hints:
    """Reads every question but "grade" with these probabilities."""
    names = (*shares, ASKS[1])

    class Fixed(Head):
        def probabilities(self, question: str, vector: Vectors, before: str | None) -> NDArray[np.float64]:
            if "grade" in question:
                return np.eye(len(names))[-1]
            return np.array([*shares.values(), 0.0])

    plain = head()
    arrays = plain.letters, plain.inner, plain.inner_bias, plain.outer, plain.outer_bias
    return Hints(ScriptedWords(), Fixed(*arrays, names, "scripted"))


@pytest.mark.parametrize(
    ("shares", "first"),
    [
        ({"what a topic means (leaning)": SURE - 0.05, "small talk": 0.2}, "how the grade stands, the same as before"),
        ({"what a topic means (leaning)": SURE + 0.05, "small talk": 0.2}, "what a topic means"),
        ({"what a topic means": SURE - 0.05, "small talk (leaning)": 0.3}, "what a topic means"),
        (
            {f"{asks('same_later')} (leaning)": 0.3, f"{asks('same')} (leaning)": 0.2},
            "how the grade stands, the same as before, a week later",
        ),
    ],
)
def test_a_question_that_leans_and_is_not_understood_asks_the_same(shares: Mapping[str, float], first: str) -> None:
    before = (Exchange("my grade?", "28."), Exchange("my grade, please", "28."))
    hints = reading(shares)
    assert hints("and what of it?", before).split("; or ")[0] == first
    assert "before" not in hints("and what of it?").replace(asks("same_later"), "")


def test_the_hints_that_come_with_scribe_know_every_kind_of_question() -> None:
    names = {name.removesuffix(LEANING).removesuffix(BOTH) for name in load(EMBEDDED / HINTS).asks}
    assert names == {one.asks for side in (False, True) for language in READ for one in known(side, language)}


def test_small_talk_in_between_is_not_what_was_talked_about(hints: Hints) -> None:
    before = (Exchange("my grade?", "28."), Exchange("hello", "Hello!"))
    assert hints("and now?", before).split("; or ")[0] == "how the grade stands, the same as before"
