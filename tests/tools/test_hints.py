"""Hints: what a question seems to ask, likeliest first, and none from a network for another embedder."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.bundle import EMBEDDED, HINTS
from scribe.errors import ModelFileError
from scribe.trajectory import Exchange
from tools.embedder import Role, SentenceEmbedder, Vectors
from tools.hints import Head, Hints, load, save
from tools.known_questions import SAME, asks

ASKS = ("how to improve", "how the grade stands", "small talk", "what a topic means", asks(SAME))
TEXTS = ("improve", "grade", "hello", "topic")


class ScriptedWords:
    """Each text of TEXTS has a direction of its own; several in one question share it out."""

    fingerprint = "scripted"

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        return np.array([[float(word in text) for word in TEXTS] for text in texts], np.float32)


def head(fingerprint: str = "scripted") -> Head:
    """Passes each direction on to its name; what follows something is the same as before, unless it is small talk."""
    through = np.eye(5, dtype=np.float32)
    outer = np.diag([0.3, 0.3, 1.0, 0.3, 4.0]).astype(np.float32)
    return Head(through, np.zeros(5, np.float32), outer, np.zeros(5, np.float32), ASKS, fingerprint)


@pytest.fixture
def hints() -> Hints:
    return Hints(ScriptedWords(), head())


def test_a_clear_question_has_one_reading(hints: Hints) -> None:
    assert hints("hello") == "small talk"


def test_an_unclear_question_has_up_to_three_the_likeliest_first(hints: Hints) -> None:
    named = hints("improve my grade on this topic").split("; or ")
    assert sorted(named) == ["how the grade stands", "how to improve", "what a topic means"]


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


@pytest.mark.parametrize(
    ("question", "leans"),
    [("and week 5?", True), ("why is that?", True), ("What is week 6 about?", False), ("exercises on the FFT", False)],
)
def test_the_hints_that_come_with_scribe_know_what_leans_on_a_question_before(question: str, leans: bool) -> None:
    assert Hints(SentenceEmbedder(), load(EMBEDDED / HINTS)).leans(question) is leans


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("What must I know before week 8?", "what a week builds on"),
        ("why did my score drop in week 5?", "what went wrong in a week"),
        ("how late may I hand in homework?", "what the rules say on late homework and quizzes"),
    ],
)
def test_the_hints_that_come_with_scribe_read_plain_questions(question: str, reading: str) -> None:
    assert Hints(SentenceEmbedder(), load(EMBEDDED / HINTS))(question).split("; or ")[0] == reading
