"""What the labelling page says, as HTML in which nothing of a model or student is taken for markup."""

import json
from html import escape

from eval.agreement.labelling import Asked
from scribe.records import Record
from scribe.trajectory import Act, Fault

BUTTONS = (
    ("yes", "Yes (Y or 1)", "primary"),
    ("no", "No (N or 2)", "primary"),
    ("skip", "Not now (S)", "secondary"),
    ("back", "Take the last one back (U)", "secondary"),
)
KEYS = "Keys: Y or 1 for yes, N or 2 for no, S to leave it for later, U to take the last one back."
CHOOSE = "<p>Say above who you are.</p>"
THANKS = "<h2>All done. Thank you!</h2><p>You may close this page, or take the last label back.</p>"


def progress(done: int, count: int) -> str:
    """How far it is, as words and a bar."""
    return f"<label>{done} of {count} labels saved <progress value='{done}' max='{count}'></progress></label>"


def criterion(asked: Asked) -> str:
    """What is asked, and when which answer is right."""
    rubric = asked.rubric
    before = "" if asked.given is None else f"<p>You said {'yes' if asked.given else 'no'} before.</p>"
    return (
        f"<h2>{escape(rubric.title)}</h2><p><b>Yes:</b> {escape(rubric.yes)}</p>"
        f"<p><b>No:</b> {escape(rubric.no)}</p>{before}"
    )


def answer(record: Record) -> str:
    """Question, answer, and below it what the tools were asked and said."""
    steps = "".join(_step(step) for step in record.steps) or "<p>No tool was called.</p>"
    return (
        f"<h2>Question</h2><p class='said'>{escape(record.task.question)}</p>"
        f"<h2>Answer</h2><p class='said'>{escape(record.answer or '')}</p><h2>How it came about</h2>{steps}"
    )


def _step(step: object) -> str:
    if isinstance(step, Act):
        pairs = zip(step.calls, step.observations, strict=True)
        called = "".join(_called(call.name, call.arguments, seen.content, seen.ok) for call, seen in pairs)
        return f"<p class='thought'>{escape(step.thought)}</p>{called}"
    if isinstance(step, Fault):
        return f"<p class='fault'>A mistake of the model’s: {escape(step.complaint)}</p>"
    return f"<p class='thought'>{escape(getattr(step, 'thought', ''))}</p>"


def _called(name: str, arguments: object, content: str, ok: bool) -> str:
    asked = escape(f"{name} {json.dumps(arguments, ensure_ascii=False)}")
    return f"<div class='call'><code>{asked}</code><pre>{'' if ok else 'refused: '}{escape(content)}</pre></div>"
