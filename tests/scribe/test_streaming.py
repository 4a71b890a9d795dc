"""What of an answer is shown while the model still writes."""

import pytest

from scribe.streaming import AnswerStream
from scribe.trajectory import Task, Trajectory

TASK = Trajectory(Task("dsp", "s001", "Why?", "A report."))


def refuse_nine(trajectory: Trajectory, answer: str) -> list[str]:
    """A check to which 9 is unsupported and all else is fine."""
    return ["the number 9"] if "9" in answer else []


def streamed(turn: str, size: int) -> list[str]:
    shown: list[str] = []
    stream = AnswerStream(refuse_nine, TASK, shown.append)
    for at in range(0, len(turn), size):
        assert stream(turn[at : at + size])
    assert "".join(shown) == stream.shown
    return shown


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_whole_sentences_are_shown_however_the_text_is_cut(size: int) -> None:
    turn = "Why not. [END_OF_REASONING]\n[FINAL_ANSWER]You had 3.5 hours. That is fine.[END_OF_FINAL_ANSWER]"
    assert "".join(streamed(turn, size)) == "You had 3.5 hours. That is fine."


def test_a_sentence_appears_before_the_answer_is_complete() -> None:
    assert streamed("x [END_OF_REASONING][FINAL_ANSWER]One is done. Two is n", 1) == ["One is done."]


def test_nothing_behind_an_unsupported_sentence_is_shown() -> None:
    turn = "x [END_OF_REASONING][FINAL_ANSWER]Good. You had 9 points. Well done.[END_OF_FINAL_ANSWER]"
    assert "".join(streamed(turn, 1)) == "Good."


def test_a_refused_beginning_is_not_checked_again_for_every_piece_behind_it() -> None:
    asked: list[str] = []

    def check(trajectory: Trajectory, answer: str) -> list[str]:
        asked.append(answer)
        return refuse_nine(trajectory, answer)

    stream = AnswerStream(check, TASK, lambda text: None)
    for piece in ("x [END_OF_REASONING][FINAL_ANSWER]You had 9 points. ", *["word "] * 512, "More. ", *["word "] * 512):
        stream(piece)
    assert len(asked) == 2  # one for each sentence that became complete


def test_reasoning_and_calls_are_never_shown() -> None:
    assert streamed('Think. More. [END_OF_REASONING]\n[TOOL_CALL]{"name": "x. y"}[END_OF_TOOL_CALL] ', 1) == []
    assert streamed("A secret. [FINAL_ANSWER] is a marker. And so on. ", 1) == []


def test_a_call_behind_the_answer_ends_the_showing() -> None:
    turn = "x [END_OF_REASONING][FINAL_ANSWER]One. [TOOL_CALL]Two. Three. "
    assert "".join(streamed(turn, 1)) == "One."


def test_being_stopped_cancels_the_turn_and_shows_nothing_more() -> None:
    shown: list[str] = []
    stream = AnswerStream(refuse_nine, TASK, shown.append, stopped=lambda: True)
    assert stream("x [END_OF_REASONING][FINAL_ANSWER]One is done. ") is False
    assert shown == []
