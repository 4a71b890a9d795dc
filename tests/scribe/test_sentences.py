"""The sentences of a turn that is being written."""

from scribe.streaming import find_answer, list_prefixes


def test_an_answer_begins_behind_its_marker_and_is_none_beside_a_call() -> None:
    assert find_answer("x [END_OF_REASONING]\n[FINAL_ANSWER] Good. Be") == "Good. Be"
    assert find_answer("x [FINAL_ANSWER]is a marker.") == ""
    assert find_answer("x [END_OF_REASONING][FINAL_ANSWER]One.[TOOL_CALL]") == ""


def test_the_last_sentence_counts_once_it_is_complete() -> None:
    assert list_prefixes("It took 3.5 hours. And then") == ["It took 3.5 hours."]
    assert list_prefixes("One. Two.\nThree[END_OF_FINAL_ANSWER]") == ["One.", "One. Two.", "One. Two.\nThree"]
    assert list_prefixes("No end") == []
