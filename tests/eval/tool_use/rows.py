"""Answers as `scribe answer` writes them, small enough to count by hand."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.batch.result import RowResult
from eval.tool_use.answers import AnswerRow
from scribe import prompts
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Step, Stop, Task, Trajectory, Usage

REPORT = "In week 2 you watched 12 videos."


def act(tool: str, ok: bool = True, coerced: tuple[str, ...] = (), says: str = "{}", **arguments: object) -> Act:
    return Act("I look.", (Call(tool, arguments),), (Observation(ok, says, coerced),))


def fault(name: str = "unsupported", **slots: object) -> Fault:
    given: Mapping[str, object] = {
        "claims": "week 7",
        "tokens": 9,
        "complaint": "No marker.",
        "quote": "week: 7",
        **slots,
    }
    return Fault("[REASONING]…", prompts.notice(name, **given))


def answered(id: str, *steps: Step, says: str = "Watch 12 videos.", course: str = "mini", **more: Any) -> AnswerRow:
    """An answer of these steps; `seconds`, `tokens` and `question` may be given."""
    task = Task(course, "s001", more.pop("question", f"Question {id}?"), REPORT)
    usage = Usage(more.pop("tokens", 100), 50, 10, more.pop("seconds", 1.0), 0.5)
    trajectory = Trajectory(task, (*steps, Answer("Done.", says)), Stop.ANSWERED, usage)
    return AnswerRow(Record.of(trajectory, id, {"name": "small"}), "ok", **more)


def unresolved(id: str, *steps: Step, course: str = "mini") -> AnswerRow:
    trajectory = Trajectory(Task(course, "s001", f"Question {id}?", REPORT), steps, Stop.UNRESOLVED)
    return AnswerRow(Record.of(trajectory, id, {"name": "small"}), "unresolved")


def failed(id: str, course: str = "mini") -> AnswerRow:
    task = Task(course, "s001", f"Question {id}?", REPORT)
    return AnswerRow(Record.of(Trajectory(task), id, {"name": "small"}), "error", "BackendError: it is down")


def write(path: Path, *rows: AnswerRow) -> Path:
    """The rows as the lines that a batch leaves."""
    path.write_text("".join(json.dumps(_line(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def _line(row: AnswerRow) -> dict[str, Any]:
    if row.failed:
        error = RuntimeError(row.error)
        result = RowResult.failed(row.id, row.record.task, row.record.model, 1.0, error)
    else:
        result = RowResult(row.record, 1.0)
    return result.line({"model": "small"})


def renamed(row: AnswerRow, id: str) -> AnswerRow:
    return replace(row, record=replace(row.record, id=id))
