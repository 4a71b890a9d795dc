"""The grammar of a turn: what may be written, what may not, and that it always comes to an end."""

import json
from dataclasses import replace

import numpy as np
import pytest
from llguidance import LLTokenizer

from scribe.backend import Backend, Constraint, Sampling
from scribe.backends.hf import HfBackend
from scribe.backends.llama import LlamaBackend
from scribe.decoding.grammar import LONGEST_REASONING, Grammars
from scribe.dialect import Calls, Final, MarkerDialect
from scribe.messages import Message
from scribe.plumbing.errors import UsageError
from scribe.tool import Tool
from scribe.trajectory import Act, Answer, Call, Observation
from scribe.transcript import of_step
from tests.scribe.backends.tiny import make_tokenizer

PROMPT = (Message("system", "You are Scribe."), Message("user", "What is week 3 about?"))


@pytest.fixture(scope="module")
def grammars() -> Grammars:
    return Grammars(LLTokenizer(make_tokenizer().to_str()))


def fits(grammars: Grammars, constraint: Constraint, text: str) -> bool:
    """Whether the whole text may be written after the opener."""
    guide = grammars.guide(constraint)
    return all(guide.allows(token) and guide.accept(token) for token in make_tokenizer().encode(text).ids)


@pytest.mark.parametrize(
    "call",
    [
        Call("map_week_to_topic", {"week": 10}),
        Call("exercise_search", {"query": 'say "no" to \\ and é漢'}),
        Call("exercise_search", {"query": "x[n]", "week": 3}),
        Call("grade_calculator"),
    ],
)
def test_a_call_as_the_transcript_writes_it_fits(grammars: Grammars, tools: Constraint, call: Call) -> None:
    said = of_step(Act("The student asks.", (call,), (Observation(True, "{}"),)))[0].content
    assert fits(grammars, tools, said.removeprefix("[REASONING]"))


def test_an_answer_as_the_transcript_writes_it_fits(grammars: Grammars, tools: Constraint) -> None:
    said = of_step(Answer("It is week 3 [of 10].\nFine.", 'In [0, 1] "x[n]"\n- is [[1, 2], [3]] é.'))[0].content
    assert fits(grammars, tools, said.removeprefix("[REASONING]"))


@pytest.mark.parametrize(
    "text",
    [
        "[END_OF_REASONING]",
        " [END_OF_REASONING]",
        "\n\n  [END_OF_REASONING]",
        " a [TOOL_CALL]",
        " a [END_OF_TOOL_CALL]",
        " a [END_OF_REASONING]\n\n",
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "delete_all"',
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name":"map_week_to_topic"',
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {}}',
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 11',
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": "3"',
        ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "grade_calculator", "arguments": {"student"',
        " a [END_OF_REASONING]\n[FINAL_ANSWER][END_OF_FINAL_ANSWER]",
        " a [END_OF_REASONING]\n[FINAL_ANSWER] \n[END_OF_FINAL_ANSWER]",
        " a [END_OF_REASONING]\n[FINAL_ANSWER]Well [TOOL_CALL]",
        "a" * (LONGEST_REASONING + 9),
    ],
)
def test_what_the_loop_would_have_to_send_back_cannot_be_written(
    grammars: Grammars, tools: Constraint, text: str
) -> None:
    assert not fits(grammars, tools, text)


def test_only_open_branches_can_be_taken(grammars: Grammars, tools: Constraint) -> None:
    call = ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "grade_calculator", "arguments": {}}[END_OF_TOOL_CALL]'
    answer = " a [END_OF_REASONING]\n[FINAL_ANSWER]Hi.[END_OF_FINAL_ANSWER]"
    only_answer = Constraint(tools.tools, frozenset({"answer"}))
    only_call = Constraint(tools.tools, frozenset({"call"}))
    assert [fits(grammars, only_answer, text) for text in (call, answer)] == [False, True]
    assert [fits(grammars, only_call, text) for text in (call, answer)] == [True, False]
    assert [fits(grammars, Constraint({}), text) for text in (call, answer)] == [False, True]


def test_nothing_allowed_is_the_callers_mistake(grammars: Grammars) -> None:
    with pytest.raises(UsageError, match="at least one tool"):
        grammars.guide(Constraint({}, frozenset({"call"})))


def test_the_schema_of_a_typed_function_fits(grammars: Grammars) -> None:
    def exercise_search(query: str, week: int | None = None) -> dict[str, str]:
        """Find exercises."""
        return {}

    constraint = Constraint({"exercise_search": Tool.of(exercise_search).parameters})
    said = ' a [END_OF_REASONING]\n[TOOL_CALL]{"name": "exercise_search", "arguments": {"query": "dft"'
    assert fits(grammars, constraint, said + ', "week": 3}}[END_OF_TOOL_CALL]')
    assert fits(grammars, constraint, said + "}}[END_OF_TOOL_CALL]")
    assert not fits(grammars, constraint, said + ', "weak"')


@pytest.mark.parametrize("seed", range(4))
def test_even_random_weights_write_a_valid_turn(llama: LlamaBackend, tools: Constraint, seed: int) -> None:
    assert_valid(llama, tools, Sampling(temperature=1.0, top_p=0.98, seed=seed, max_tokens=8000))


def test_transformers_is_held_to_the_same_grammar(hf: HfBackend, tools: Constraint) -> None:
    assert_valid(hf, Constraint(tools.tools, frozenset({"call"})), Sampling(max_tokens=8000))


def assert_valid(backend: Backend, constraint: Constraint, sampling: Sampling) -> None:
    said = backend.complete(PROMPT, sampling, constraint)
    assert said.finish == "stop"
    match MarkerDialect().read(said.text):
        case Calls(thought, (call,)):
            schema = constraint.tools[call.name]
            assert thought
            assert set(schema["required"]) <= call.arguments.keys() <= schema["properties"].keys()
            assert json.dumps(dict(call.arguments), ensure_ascii=False) in said.text or "\\" in said.text
        case Final(thought, text):
            assert thought
            assert text
        case other:
            pytest.fail(f"{other}: {said.text}")


def test_two_turns_of_one_grammar_do_not_share_their_state(grammars: Grammars, tools: Constraint) -> None:
    first, second = grammars.guide(tools), grammars.guide(tools)
    letter, bracket = (make_tokenizer().encode(text).ids[0] for text in ("a", "["))
    assert first.accept(letter)
    assert first.allows(bracket)
    assert not second.allows(bracket)


def test_the_mask_holds_exactly_what_is_allowed(grammars: Grammars, tools: Constraint) -> None:
    guide = grammars.guide(tools)
    for token in make_tokenizer().encode(" I look. [END_OF_REASONING]\n[TOOL_CALL]{").ids:
        assert guide.accept(token)
    masked = guide.masked(np.zeros(700, dtype=np.float32))
    allowed = [token for token in range(len(masked)) if masked[token] == 0]
    assert allowed == [token for token in range(make_tokenizer().get_vocab_size()) if guide.allows(token)]
    assert 0 < len(allowed) < 10


def test_a_turn_that_has_begun_goes_on_where_it_stands(grammars: Grammars, tools: Constraint) -> None:
    begun = replace(tools, begun=" I see. [END_OF_REASONING]\n[FINAL_ANSWER]One sentence.")
    assert fits(grammars, begun, " Another.[END_OF_FINAL_ANSWER]")
    assert not fits(grammars, begun, " Another.[TOOL_CALL]")


def test_only_given_lines_can_be_quoted_each_once_at_the_beginning(grammars: Grammars, tools: Constraint) -> None:
    given = replace(tools, lines=('week: 3 "é" [x]', "week: 4"))
    rest = "So. [END_OF_REASONING]\n[FINAL_ANSWER]Good.[END_OF_FINAL_ANSWER]"
    assert fits(grammars, given, f' > week: 3 "é" [x]\n> week: 4\n{rest}')
    assert fits(grammars, given, f" {rest}")
    assert not fits(grammars, given, f" > week: 5\n{rest}")
    assert not fits(grammars, given, f" > week: 4\n> week: 4\n{rest}")
    assert not fits(grammars, given, f' > week: 4\n> week: 3 "é" [x]\n{rest}')
    assert not fits(grammars, tools, f" > week: 4\n{rest}")
