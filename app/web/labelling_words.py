"""What the labelling page says, as HTML in which nothing of a model or student is taken for markup."""

import json
from html import escape

from eval.agreement.labelling import LabelRequest
from scribe.records import Record
from scribe.trajectory import Act, Fault, Task

BUTTONS = (
    ("yes", "Yes (Y or 1)", "primary"),
    ("no", "No (N or 2)", "primary"),
    ("skip", "Not now (S)", "secondary"),
    ("back", "Take the last one back (U)", "secondary"),
)
KEYS = (
    "Keys: Y or 1 for yes, N or 2 for no, S to leave it for later, U to take the last one back; "
    "R opens the report, T the tools."
)
SPACE = "\n\n"
CHOOSE = "<p>Say above who you are.</p>"
THANKS = "<h2>All done. Thank you!</h2><p>You may close this page, or take the last label back.</p>"


def progress(done: int, count: int) -> str:
    """How far it is, as words and a bar."""
    return f"<label>{done} of {count} labels saved <progress value='{done}' max='{count}'></progress></label>"


def criterion(asked: LabelRequest) -> str:
    """What is asked, and when which answer is right."""
    rubric = asked.rubric
    before = "" if asked.given is None else f"<p>You said {'yes' if asked.given else 'no'} before.</p>"
    return (
        f"<h2>{escape(rubric.title)}</h2><p><b>Yes:</b> {escape(rubric.yes)}</p>"
        f"<p><b>No:</b> {escape(rubric.no)}</p>{before}"
    )


def answer(record: Record, tools: str) -> str:
    """All that a judge is given: question and answer, how it came about, and folded away the report and the tools.

    tools: the listing that the assistant was shown.
    """
    task = record.task
    steps = "".join(_step(step) for step in record.steps)
    called = "" if any(isinstance(step, Act) for step in record.steps) else "<p>No tool was called.</p>"
    about = f"{task.about}\nThe student is to be answered in {task.language}.".strip()
    return (
        f"{_earlier(task)}<h2>Question</h2>{_said(task.question)}<h2>Answer</h2>{_said(record.answer or '')}"
        f"{_folded('report', 'The student’s report (R)', task.report)}"
        f"{_folded('tools', 'The course, and the tools it could call (T)', f'{about}{SPACE}{tools}'.strip())}"
        f"<h2>How it came about</h2>{steps}{called}"
    )


def _earlier(task: Task) -> str:
    said = "".join(f"{_said(past.question)}<div class='earlier'>{_said(past.answer)}</div>" for past in task.history)
    return f"<h2>Asked and answered before</h2>{said}" if said else ""


def _folded(name: str, title: str, text: str) -> str:
    """Text, not Markdown: a picture in it would be fetched from wherever it says."""
    return f"<details id='{name}'><summary>{escape(title)}</summary>{_said(text)}</details>"


def _said(text: str) -> str:
    return f"<p class='said'>{escape(text)}</p>"


def _step(step: object) -> str:
    if isinstance(step, Act):
        pairs = zip(step.calls, step.observations, strict=True)
        called = "".join(_called(call.name, call.arguments, seen.content, seen.ok) for call, seen in pairs)
        return f"<p class='thought'>{escape(step.thought)}</p>{called}"
    if isinstance(step, Fault):
        wrote, told = f"<pre>{escape(step.raw)}</pre>", escape(step.complaint)
        return f"<div class='fault'>It wrote something that was sent back:{wrote}and was told: {told}</div>"
    return f"<p class='thought'>{escape(getattr(step, 'thought', ''))}</p>"


def _called(name: str, arguments: object, content: str, ok: bool) -> str:
    asked = escape(f"{name} {json.dumps(arguments, ensure_ascii=False)}")
    return f"<div class='call'><code>{asked}</code><pre>{'' if ok else 'refused: '}{escape(content)}</pre></div>"
