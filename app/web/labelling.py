"""The page on which people label answers blind, each on their own. Imports Gradio, so import it late.

In its HTML nothing of a model or student is taken for markup.
"""

import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

from eval.agreement.labelling import LabelItem, Labelling, LabelRequest
from eval.judge.rubric import Rubric
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

Shown = tuple[str, str, str, str]
"""Number and whose it is, progress, criterion, answer."""


class LabellingRoom:
    """Who labels what. Nobody sees which run an answer is of, what others said, or what a judge said.

    tools: the listing of the tools that a record's assistant could call, for people see what a judge sees.
    Raises UsageError or RecordError for a person's name or file.
    """

    def __init__(
        self,
        items: Sequence[LabelItem],
        rubrics: Sequence[Rubric],
        folder: Path,
        people: Sequence[str],
        tools: Callable[[Record], str],
    ) -> None:
        self._tools = tools
        self.people = tuple(dict.fromkeys(people))
        self._each = {person: Labelling(items, rubrics, folder, person) for person in self.people}

    def enter(self, person: str) -> Shown:
        """Where this person left off."""
        return self._show(person, self._each[person].next())

    def yes(self, person: str, number: str) -> Shown:
        """Keep a YES of what was seen under this number."""
        return self._label(person, number, True)

    def no(self, person: str, number: str) -> Shown:
        """Keep a NO of what was seen under this number."""
        return self._label(person, number, False)

    def skip(self, person: str, number: str) -> Shown:
        """Leave it for the end."""
        seen = _parse_number(person, number)
        return self._show(person, self._each[person].next(-1 if seen is None else seen))

    def back(self, person: str) -> Shown:
        """Take the last label back."""
        return self._show(person, self._each[person].back())

    def _label(self, person: str, number: str, value: bool) -> Shown:
        labelling = self._each[person]
        # The number comes from the page: a second press before it has changed is of what was seen, not of what follows.
        seen = _parse_number(person, number)
        asked = labelling.next() if seen is None else labelling.label(seen, value)
        return self._show(person, asked)

    def _show(self, person: str, asked: LabelRequest | None) -> Shown:
        labelling = self._each[person]
        progress = _show_progress(labelling.done, labelling.count)
        if asked is None:
            return "", progress, THANKS, ""
        record = asked.item.record
        answer = _show_answer(record, self._tools(record))
        return f"{asked.number} {person}", progress, _show_criterion(asked), answer


def _parse_number(person: str, number: str) -> int | None:
    """What this person had on the screen; None if it was nothing, or another person's of the same page."""
    digits, _, whose = number.partition(" ")
    return int(digits) if digits.isdecimal() and whose == person else None


def build_labelling_page(room: LabellingRoom) -> Any:
    """The page as gr.Blocks, its queue set up, not yet listening."""
    with gr.Blocks(title="Scribe · labelling", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML("<h1>Is this answer as it should be?</h1>", padding=False)
        person = gr.Radio(room.people, value=_only(room), label="I am", elem_id="person", visible=len(room.people) > 1)
        progress = gr.HTML(elem_id="progress", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=7, min_width=300):
                answer = gr.HTML(CHOOSE, elem_id="answer", padding=False)
            with gr.Column(scale=4, min_width=280, elem_id="asked"):
                criterion = gr.HTML(elem_id="criterion", padding=False)
                buttons = [gr.Button(text, elem_id=name, variant=kind) for name, text, kind in BUTTONS]
                gr.HTML(f"<p>{escape(KEYS)}</p>", elem_id="keys", padding=False)
        # In the page, though unseen: what is sent with a label is what was on the screen.
        number = gr.Textbox(elem_id="number", show_label=False, container=False)
        _connect(blocks, room, person, buttons, [number, progress, criterion, answer])
    return blocks.queue(api_open=False, max_size=20, default_concurrency_limit=1)


def _only(room: LabellingRoom) -> str | None:
    return room.people[0] if len(room.people) == 1 else None


def _connect(blocks: Any, room: LabellingRoom, person: Any, buttons: Sequence[Any], shown: Sequence[Any]) -> None:
    private = {"api_visibility": "private", "show_progress": "hidden"}
    yes, no, skip, back = buttons
    for button, does in ((yes, room.yes), (no, room.no), (skip, room.skip)):
        button.click(_require_person(does, shown), [person, shown[0]], shown, **private)
    back.click(_require_person(room.back, shown), person, shown, **private)
    person.change(_require_person(room.enter, shown), person, shown, **private)
    blocks.load(_require_person(room.enter, shown), person, shown, **private)


def _require_person(does: Any, shown: Sequence[Any]) -> Any:
    """The event, which does nothing until somebody has said who they are."""

    def event(person: str | None, *rest: str) -> Any:
        return does(person, *rest) if person else [gr.skip() for _ in shown]

    return event


def _show_progress(done: int, count: int) -> str:
    """How far it is, as words and a bar."""
    return f"<label>{done} of {count} labels saved <progress value='{done}' max='{count}'></progress></label>"


def _show_criterion(asked: LabelRequest) -> str:
    """What is asked, and when which answer is right."""
    rubric = asked.rubric
    before = "" if asked.given is None else f"<p>You said {'yes' if asked.given else 'no'} before.</p>"
    return (
        f"<h2>{escape(rubric.title)}</h2><p><b>Yes:</b> {escape(rubric.yes)}</p>"
        f"<p><b>No:</b> {escape(rubric.no)}</p>{before}"
    )


def _show_answer(record: Record, tools: str) -> str:
    """All that a judge is given: question and answer, how it came about, and folded away the report and the tools.

    tools: the listing that the assistant was shown.
    """
    task = record.task
    steps = "".join(_show_step(step) for step in record.steps)
    called = "" if any(isinstance(step, Act) for step in record.steps) else "<p>No tool was called.</p>"
    about = f"{task.about}\nThe student is to be answered in {task.language}.".strip()
    return (
        f"{_show_earlier(task)}<h2>Question</h2>{_quote(task.question)}<h2>Answer</h2>{_quote(record.answer or '')}"
        f"{_fold('report', 'The student’s report (R)', task.report)}"
        f"{_fold('tools', 'The course, and the tools it could call (T)', f'{about}{SPACE}{tools}'.strip())}"
        f"<h2>How it came about</h2>{steps}{called}"
    )


def _show_earlier(task: Task) -> str:
    said = "".join(f"{_quote(past.question)}<div class='earlier'>{_quote(past.answer)}</div>" for past in task.history)
    return f"<h2>Asked and answered before</h2>{said}" if said else ""


def _fold(name: str, title: str, text: str) -> str:
    """Text, not Markdown: a picture in it would be fetched from wherever it says."""
    return f"<details id='{name}'><summary>{escape(title)}</summary>{_quote(text)}</details>"


def _quote(text: str) -> str:
    return f"<p class='said'>{escape(text)}</p>"


def _show_step(step: object) -> str:
    if isinstance(step, Act):
        pairs = zip(step.calls, step.observations, strict=True)
        called = "".join(_show_call(call.name, call.arguments, seen.content, seen.ok) for call, seen in pairs)
        return f"<p class='thought'>{escape(step.thought)}</p>{called}"
    if isinstance(step, Fault):
        wrote, told = f"<pre>{escape(step.raw)}</pre>", escape(step.complaint)
        return f"<div class='fault'>It wrote something that was sent back:{wrote}and was told: {told}</div>"
    return f"<p class='thought'>{escape(getattr(step, 'thought', ''))}</p>"


def _show_call(name: str, arguments: object, content: str, ok: bool) -> str:
    asked = escape(f"{name} {json.dumps(arguments, ensure_ascii=False)}")
    return f"<div class='call'><code>{asked}</code><pre>{'' if ok else 'refused: '}{escape(content)}</pre></div>"
