"""What texts are made of that readers of ours may stumble over, and what they once stumbled over."""

import json
from pathlib import Path

FAILURES = Path(__file__).with_name("failures.jsonl")
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


def list_failures(target: str) -> list[str]:
    """What this target once failed on."""
    rows = (json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines())
    return [row["text"] for row in rows if row["target"] == target]
