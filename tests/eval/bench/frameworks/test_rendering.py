"""Requests in Llama 3.1's format."""

from typing import Any

from eval.bench.frameworks.rendering import rendered, written
from eval.bench.frameworks.script import Reply
from eval.bench.frameworks.stage import completion

TOOL = {"type": "function", "function": {"name": "look"}}
ASKED: list[dict[str, Any]] = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Why?"}]
CALLS = ({"name": "look", "arguments": {"week": 2}}, {"name": "look", "arguments": {"at": "é"}})


def test_tools_stand_before_what_differs_among_students() -> None:
    text = rendered(ASKED, [TOOL])
    assert text.startswith("<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nEnvironment: ipython\n")
    assert text.index('"name": "look"') < text.index("Be kind.") < text.index("Why?")
    assert text.endswith("Why?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n")


def test_a_result_of_a_tool_is_said_by_ipython() -> None:
    assert "<|start_header_id|>ipython<|end_header_id|>\n\n{}<|eot_id|>" in rendered(
        [*ASKED, {"role": "tool", "tool_call_id": "call_0", "content": "{}"}], []
    )


def test_a_turn_given_back_as_it_was_continues_the_prompt_that_it_answered() -> None:
    for reply in (Reply("I look.", CALLS, "", 5), Reply("", CALLS[:1], "", 5), Reply("", (), "Because.", 5)):
        turn = completion(reply, False, 0)["choices"][0]["message"]
        assert rendered([*ASKED, turn], [TOOL]).startswith(rendered(ASKED, [TOOL]) + written(reply))
