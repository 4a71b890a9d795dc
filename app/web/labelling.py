"""The page on which people label answers blind, each on their own. Imports Gradio, so import it late.

In its HTML nothing of a model or student is taken for markup.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr
from jinja2 import Environment

from eval.agreement.labelling import LabelItem, Labelling, LabelRequest
from eval.judge.rubric import Rubric
from scribe.records import Record

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
CHOOSE = "<p>Say above who you are.</p>"
THANKS = "<h2>All done. Thank you!</h2><p>You may close this page, or take the last label back.</p>"
ANSWER = Environment(autoescape=True).from_string(
    Path(__file__).with_name("labelling.html.jinja").read_text(encoding="utf-8")
)

LabellingView = tuple[str, str, str, str]
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

    def enter(self, person: str) -> LabellingView:
        return self._show(person, self._each[person].next())

    def label(self, value: bool, person: str, number: str) -> LabellingView:
        """Keep a YES or NO of what was seen under this number."""
        labelling = self._each[person]
        # The number comes from the page: a second press before it has changed is of what was seen, not of what follows.
        seen = _parse_number(person, number)
        return self._show(person, labelling.next() if seen is None else labelling.label(seen, value))

    def skip(self, person: str, number: str) -> LabellingView:
        """Leave it for the end."""
        seen = _parse_number(person, number)
        return self._show(person, self._each[person].next(-1 if seen is None else seen))

    def back(self, person: str, number: str) -> LabellingView:
        return self._show(person, self._each[person].back())

    def _show(self, person: str, asked: LabelRequest | None) -> LabellingView:
        done, count = self._each[person].done, self._each[person].count
        bar = f"<progress value='{done}' max='{count}'></progress>"
        progress = f"<label>{done} of {count} labels saved {bar}</label>"
        if asked is None:
            return "", progress, THANKS, ""
        record = asked.item.record
        to_json = partial(json.dumps, ensure_ascii=False)
        answer = ANSWER.render(record=record, task=record.task, tools=self._tools(record), to_json=to_json)
        return f"{asked.number} {person}", progress, _show_criterion(asked), answer


def _parse_number(person: str, number: str) -> int | None:
    """What this person had on the screen; None if it was nothing, or another person's of the same page."""
    digits, _, whose = number.partition(" ")
    return int(digits) if digits.isdecimal() and whose == person else None


def _show_criterion(asked: LabelRequest) -> str:
    rubric = asked.rubric
    before = "" if asked.given is None else f"<p>You said {'yes' if asked.given else 'no'} before.</p>"
    return (
        f"<h2>{escape(rubric.title)}</h2><p><b>Yes:</b> {escape(rubric.yes)}</p>"
        f"<p><b>No:</b> {escape(rubric.no)}</p>{before}"
    )


def build_labelling_page(room: LabellingRoom) -> Any:
    """The page as gr.Blocks, its queue set up, not yet listening."""
    alone = room.people[0] if len(room.people) == 1 else None
    with gr.Blocks(title="Scribe · labelling", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML("<h1>Is this answer as it should be?</h1>", padding=False)
        person = gr.Radio(room.people, value=alone, label="I am", elem_id="person", visible=alone is None)
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
        shown = [number, progress, criterion, answer]

        def connect(listen: Any, does: Callable[..., LabellingView], inputs: Sequence[Any]) -> None:
            def event(person: str | None, *rest: str) -> Any:
                return does(person, *rest) if person else [gr.skip() for _ in shown]

            listen(event, inputs, shown, api_visibility="private", show_progress="hidden")

        actions: tuple[Callable[..., LabellingView], ...]
        actions = (partial(room.label, True), partial(room.label, False), room.skip, room.back)
        for button, action in zip(buttons, actions, strict=True):
            connect(button.click, action, [person, number])
        connect(person.change, room.enter, [person])
        connect(blocks.load, room.enter, [person])
    return blocks.queue(api_open=False, max_size=20, default_concurrency_limit=1)
