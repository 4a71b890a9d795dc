"""What a model wrote, in three dialects: read leniently, never an exception."""

import random

import pytest

from scribe import records
from scribe.dialect import (
    DIALECTS,
    Calls,
    Dialect,
    Final,
    LlamaJsonDialect,
    Malformed,
    MarkerDialect,
    Reading,
    ToolAceDialect,
)
from scribe.records import Record
from scribe.trajectory import Act, Call, Observation
from scribe.transcript import write_call
from tests.scribe.scene import answer, call, trajectory

MARKERS, TOOLACE, LLAMA = MarkerDialect(), ToolAceDialect(), LlamaJsonDialect()
WEEK = (Call("map_week_to_topic", {"week": 5}),)
TWO = (Call("f", {"a": 1}), Call("g", {"b": "x, [y]"}))


def marked(body: str) -> str:
    return f"[REASONING] why [END_OF_REASONING]\n[TOOL_CALL]{body}[END_OF_TOOL_CALL]"


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ('{"name": "map_week_to_topic", "arguments": {"week": 5}}', WEEK),
        ('{"name": "map_week_to_topic", "parameters": {"week": 5}}', WEEK),
        ('{"name": "map_week_to_topic", "arguments": "{\\"week\\": 5}"}', WEEK),
        ('\n  {"arguments": {"week": 5}, "name": "map_week_to_topic"}\n', WEEK),
        ("map_week_to_topic(week=5)", WEEK),
        ("[map_week_to_topic(week=5)]", WEEK),
        ("[f(a=1), g(b='x, [y]')]", TWO),
        ('[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {"b": "x, [y]"}}]', TWO),
        ('{"name": "grade_calculator"}', (Call("grade_calculator", {}),)),
        ('{"name": "f", "arguments": {"query": "two\nlines"}}', (Call("f", {"query": "two\nlines"}),)),
    ],
)
def test_calls_are_read_however_they_are_written(body: str, calls: tuple[Call, ...]) -> None:
    assert MARKERS.read(marked(body)) == Calls("why", calls)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (answer("It is."), Final("I know it.", "It is.")),
        (f"[REASONING]{answer('It is.')}", Final("I know it.", "It is.")),
        (" so [END_OF_REASONING]\n[FINAL_ANSWER] Not closed", Final("so", "Not closed")),
        (" so [FINAL_ANSWER]It is.[END_OF_FINAL_ANSWER] and more", Final("so", "It is.")),
        (' so [TOOL_CALL]{"name": "f"}', Calls("so", (Call("f", {}),))),
        (marked('{"name": "f"}') + "[FINAL_ANSWER]Guess.[END_OF_FINAL_ANSWER]", Calls("why", (Call("f"),))),
        (marked('{"name": "f"}') + '\n[TOOL_CALL]{"name": "g"}', Calls("why", (Call("f"), Call("g")))),
    ],
)
def test_turns_are_read_with_markers_missing_or_in_excess(text: str, reading: Reading) -> None:
    assert MARKERS.read(text) == reading


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "neither"),
        (" I think about it.", "neither"),
        ('[TOOL_CALL]{"name": "f"}[END_OF_TOOL_CALL]', "reasoning is missing"),
        (answer("  "), "answer is empty"),
        (marked("[]"), "call is empty"),
        (marked('{"name": "f", "arguments": {"week": 5}'), "delimiter: line 1"),
        (marked('{"name": 5}'), 'needs "name"'),
        (marked('{"name": "f", "arguments": [5]}'), "must be an object"),
        (marked("f(5)"), "argument=value"),
        (marked("__import__('os').system('ls')"), "argument=value"),
        (marked("f(a=g())"), "not readable"),
        (marked("f(a=b'x')"), "must be text"),
        (marked("f(a={1, 2})"), "must be text"),
        (marked('{"name": "f", "arguments": {"a": NaN}}'), "must be text"),
        (marked('{"name": "f", "arguments": {"a": ' + "[" * 60 + "]" * 60 + "}}"), "short list"),
        (marked("[" * 50_000), "not readable"),
        (marked('{"name": "f", "arguments": ' + '{"a": ' * 50_000), "not readable"),
        (marked("f(a=" + "-" * 50_000 + "1)"), "not readable"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, complaint: str) -> None:
    reading = MARKERS.read(text)
    assert isinstance(reading, Malformed)
    assert complaint in reading.complaint


def test_toolace_writes_a_bare_list_and_answers_in_prose() -> None:
    assert TOOLACE.read("I need it. [f(a=1), g(b='x, [y]')]") == Calls("I need it.", TWO)
    assert TOOLACE.read("Week 5 [five] is about filters.") == Final("", "Week 5 [five] is about filters.")
    assert TOOLACE.read("[REASONING] so [END_OF_REASONING] It is.") == Final("so", "It is.")


def test_llama_writes_bare_json_and_answers_in_prose() -> None:
    bare = '{"name": "map_week_to_topic", "parameters": {"week": 5}}'
    assert LLAMA.read(bare) == Calls("", WEEK)
    assert LLAMA.read(f"[REASONING] so [END_OF_REASONING]\n{bare}") == Calls("so", WEEK)
    assert LLAMA.read("Week {5} is about filters.") == Final("", "Week {5} is about filters.")


@pytest.mark.parametrize("dialect", DIALECTS.values())
def test_every_dialect_understands_our_markers(dialect: type[Dialect]) -> None:
    assert dialect().read(call("f", "why", week=5)) == Calls("why", (Call("f", {"week": 5}),))
    assert dialect().read(answer("It is.")) == Final("I know it.", "It is.")


def test_a_lone_surrogate_becomes_a_character_that_can_be_stored() -> None:
    reading = MARKERS.read(marked('{"name": "f", "arguments": {"query": "\\ud83d"}}'))
    assert reading == Calls("why", (Call("f", {"query": "?"}),))


VALID = (
    marked('{"name": "exercise_search", "arguments": {"query": "DFT, \\"fast\\"", "week": 5}}'),
    marked("[f(a=1, b=[1, 2.5], c={'d': None}), g(b='x')]"),
    "I need it. [f(a=1), g(b='x, [y]')]",
    'So: {"name": "f", "parameters": {"a": 1, "b": [true, null]}}',
    answer("In week 5 it is 3.5 percent; see [4.1]."),
)
PIECES = [
    *"{}[]()\"'\\,:=.-_ \n\0é😀\u2028",
    *("[REASONING]", "[END_OF_REASONING]", "[TOOL_CALL]", "[END_OF_TOOL_CALL]", "[FINAL_ANSWER]"),
    *("b'", "f'{", "\\ud800", "\\x", "1e999", "NaN", "lambda: ", "**", "not ", "9" * 5000, "((" * 200, "{1:", "1j"),
]


def mutated(text: str, draw: random.Random) -> str:
    for _ in range(draw.randint(1, 6)):
        start = draw.randint(0, len(text))
        end = draw.choice((start, start, start + 1, draw.randint(start, len(text))))
        piece = draw.choice((draw.choice(PIECES), text[start:end] * 2, ""))
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", DIALECTS)
def test_no_damage_to_a_turn_makes_reading_fail(name: str) -> None:
    dialect, draw, read = DIALECTS[name](), random.Random(name), 0
    for _ in range(600):
        text = mutated(draw.choice(VALID), draw)
        reading = dialect.read(text)
        assert isinstance(reading, Calls | Final | Malformed), text
        read += isinstance(reading, Calls) and can_be_written(reading)
    assert read > 40


def can_be_written(reading: Calls) -> bool:
    """Whether calls survive a prompt, where they are written in our form, and a record."""
    written = "".join(write_call(made) for made in reading.calls)
    assert MARKERS.read(f" why [END_OF_REASONING]{written}") == Calls("why", reading.calls)
    assert written.encode()
    act = Act(reading.thought, reading.calls, tuple(Observation(True, "{}") for _ in reading.calls))
    kept = Record.of(trajectory().then(act), "1", {})
    assert records.from_json(records.to_json(kept)) == kept
    return True
