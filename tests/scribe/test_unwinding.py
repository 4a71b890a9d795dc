"""A turn that runs in a circle inside a call is mended, any other is not."""

from scribe.messages import END_OF_TOOL_CALL, TOOL_CALL
from scribe.unwinding import unwound

HEAD = '[REASONING] I search. [END_OF_REASONING]\n' + TOOL_CALL + '{"name": "exercise_search", "arguments": '


def test_an_open_text_is_cut_before_a_word_comes_again() -> None:
    assert unwound(HEAD + '{"query": "how it hur hur hur') == HEAD + '{"query": "how it hur"}}' + END_OF_TOOL_CALL
    assert unwound(HEAD + '{"week": 3, "query": "a b a b').endswith('{"week": 3, "query": "a b"}}' + END_OF_TOOL_CALL)


def test_nothing_else_is_mended() -> None:
    assert unwound("[REASONING] I know. [END_OF_REASONING] [FINAL_ANSWER]bon bon bon") == ""
    assert unwound(HEAD + '{"query": "') == "" and unwound(HEAD + '{"query": "a"}}, ) ) ) )') == ""
