"""A turn while it is written: whole characters, end markers, and cancelling."""

from scribe.decoding.turn import TurnText


def test_a_character_in_two_pieces_is_shown_once_and_whole() -> None:
    shown: list[str] = []
    turn = TurnText(shown.append)
    for byte in "é漢😀".encode():
        turn.push(bytes([byte]))
    assert shown == ["é", "漢", "😀"]
    assert turn.text == "é漢😀"


def test_the_turn_is_over_right_after_an_end_marker_whatever_pieces_it_comes_in() -> None:
    shown: list[str] = []
    turn = TurnText(shown.append)
    ends = [turn.add(piece) for piece in ("so [TOOL_CALL]{}[END_OF", "_TOOL_", "CALL] and [FINAL")]
    assert ends == [None, None, "stop"]
    assert turn.text == "".join(shown) == "so [TOOL_CALL]{}[END_OF_TOOL_CALL]"


def test_of_two_end_markers_in_one_piece_the_first_counts() -> None:
    turn = TurnText(None)
    assert turn.add("Hi[END_OF_FINAL_ANSWER][END_OF_TOOL_CALL]") == "stop"
    assert turn.text == "Hi[END_OF_FINAL_ANSWER]"


def test_only_false_cancels() -> None:
    assert TurnText(lambda _: None).add("text") is None
    assert TurnText(lambda _: True).add("text") is None
    assert TurnText(lambda _: False).add("text") == "cancelled"
