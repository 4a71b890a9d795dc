"""Any text at all: no crash, and what is written can be read again. Past failures (`failures.jsonl`) come first."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS

FAILURES = Path(__file__).with_name("failures.jsonl")
COSTLY = ("bundles", "tables", "files")
"""Write files at each try."""
PIECES = (
    "[REASONING]", "[END_OF_REASONING]", "[TOOL_CALL]", "[END_OF_TOOL_CALL]", "[FINAL_ANSWER]",
    "[END_OF_FINAL_ANSWER]",
    "[ERROR_NOTICE]", "[/ERROR_NOTICE]", "[ final_answer ]", "[\u200bTOOL_CALL]", "［TOOL_CALL］", "\\u005bTOOL_CALL]",
    '{"name": "map_week_to_topic", "arguments": {"week": ', '{"name": "f", "parameters": {}}',
    "[f(a=1)]", "f(a=1, b='x')",
    "grade_calculator()", '"', "'", "{", "}", "[", "]", "(", ")", ",", ":", "null", "true", "1e999", "NaN",
    "-0.0", "9" * 30, "\\ud800", "\\u0000", "\ud7ff", "\x00", "\x1b[2J", "\u2028", "\u202e", "\u200b", "é", "ǆ", "İ",
    "ß", "😀", "\r\n", "\n", " ", "\t",
    '{"id": "r", "task": {"course": "c", "student": "s", "question": "q", "report": "r"}, "steps": [',
    '{"kind": "answer", "thought": "t", "text": "a"}', '], "stop": "answered", "answer": "a", "usage": {}}',
    "FINAL DECISION: YES", "final decision: no", "**FINAL DECISION:** YES", "<think>", "</think>", "F-I-N-A-L ",
    "# ", "## 1.1 A title", "> ", "- ", "1. ", "| a | b |\n|---|---|", "`", "```", "**", "_", "[x](http://y)",
    "![x](y)", "<b>", "<script>", "&lt;", "javascript:", "week 2", "weeks 1 to 4", "30 minutes", "45 percent",
    "more than", "the class", ". ",
    "id = ", 'title = "x"', "weeks = 3", "[[weeks]]", "number = 1", '{"id": "e1", "week": 1, "topic": "Signals"}',
    '{"event_type": "play_video", "username": "ada", "time": "2026-09-14T10:00:00Z", "event": "{}"}',
    "student,item,score", "s001,quiz-1,7", "Time,User full name,Event context,Component,Event name,Description",
    '{"data": ["x"], "fn_index": 0, "session_hash": "a", "event_data": {"index": 1, "value": "v"}}',
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=14).map("".join),
)


def list_failures(target: str) -> list[str]:
    """What this target once failed on."""
    rows = (json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines())
    return [row["text"] for row in rows if row["target"] == target]


@pytest.mark.parametrize("target", TARGETS)
def test_any_text_is_read_or_refused(target: str) -> None:
    check = TARGETS[target]

    @settings(
        max_examples=40 if target in COSTLY else 150,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(TEXTS)
    def hold(text: str) -> None:
        check(text)

    for failure in list_failures(target):
        hold = example(failure)(hold)
    hold()


def test_past_failures_name_a_target() -> None:
    rows = [json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines()]
    assert rows and {row["target"] for row in rows} <= set(TARGETS)
