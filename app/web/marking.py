"""The page on which people mark things blind, each on their own: answers, or pairs of dialogues.

Imports Gradio, so import it late. In its HTML nothing of a model or student is taken for markup.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any, ClassVar, Generic

import gradio as gr

from eval.agreement.marking import C, M, Marking, MarkRequest, V

CHOOSE = "<p>Say above who you are.</p>"
THANKS = "<h2>All done. Thank you!</h2><p>You may close this page, or take the last label back.</p>"
SKIP, BACK = ("skip", "Not now (S)"), ("back", "Take the last one back (U)")

MarkingView = tuple[str, str, str, str]
"""Number and whose it is, progress, criterion, what is marked."""


class MarkingRoom(ABC, Generic[M, C, V]):
    """Who marks what. Nobody sees where a thing is from, what others said, or what a judge said.

    choices: id and text of the buttons that mark. keys: which keys press them. wide: whether what is marked takes the
    whole width, the question standing below it. Raises UsageError or RecordError for a person's name or file.
    """

    title: ClassVar[str]
    heading: ClassVar[str]
    choices: ClassVar[Sequence[tuple[str, str]]]
    keys: ClassVar[str]
    wide: ClassVar[bool] = False

    def __init__(self, people: Sequence[str], begin: Callable[[str], Marking[M, C, V]]) -> None:
        self.people = tuple(dict.fromkeys(people))
        self._each = {person: begin(person) for person in self.people}

    @abstractmethod
    def read_choice(self, button: str, person: str, item: M) -> V:
        """What a press on a button says of a thing as this person sees it."""

    @abstractmethod
    def show_item(self, person: str, item: M) -> str:
        """What is marked, as HTML."""

    @abstractmethod
    def show_criterion(self, person: str, asked: MarkRequest[M, C, V]) -> str:
        """What is asked of it, as HTML, and what the person said before."""

    def enter(self, person: str) -> MarkingView:
        return self._show(person, self._each[person].next())

    def mark(self, button: str, person: str, number: str) -> MarkingView:
        """Keep what was said of what was seen under this number."""
        marking = self._each[person]
        # The number comes from the page: a second press before it has changed is of what was seen, not of what follows.
        seen = _parse_number(person, number)
        if seen is None:
            return self._show(person, marking.next())
        value = self.read_choice(button, person, marking.at(seen).item)
        return self._show(person, marking.label(seen, value))

    def skip(self, person: str, number: str) -> MarkingView:
        """Leave it for the end."""
        seen = _parse_number(person, number)
        return self._show(person, self._each[person].next(-1 if seen is None else seen))

    def back(self, person: str, number: str) -> MarkingView:
        return self._show(person, self._each[person].back())

    def _show(self, person: str, asked: MarkRequest[M, C, V] | None) -> MarkingView:
        done, count = self._each[person].done, self._each[person].count
        bar = f"<progress value='{done}' max='{count}'></progress>"
        progress = f"<label>{done} of {count} labels saved {bar}</label>"
        if asked is None:
            return "", progress, THANKS, ""
        criterion = self.show_criterion(person, asked)
        return f"{asked.number} {person}", progress, criterion, self.show_item(person, asked.item)


def _parse_number(person: str, number: str) -> int | None:
    """What this person had on the screen; None if it was nothing, or another person's of the same page."""
    digits, _, whose = number.partition(" ")
    return int(digits) if digits.isdecimal() and whose == person else None


def build_marking_page(room: MarkingRoom[Any, Any, Any]) -> Any:
    """The page as gr.Blocks, its queue set up, not yet listening."""
    alone = room.people[0] if len(room.people) == 1 else None
    with gr.Blocks(title=f"Scribe · {room.title}", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML(f"<h1>{escape(room.heading)}</h1>", padding=False)
        person = gr.Radio(room.people, value=alone, label="I am", elem_id="person", visible=alone is None)
        progress = gr.HTML(elem_id="progress", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=7, min_width=1000 if room.wide else 300):
                shown_item = gr.HTML(CHOOSE, elem_id="answer", padding=False)
            with gr.Column(scale=4, min_width=280, elem_id="asked", elem_classes="below" if room.wide else None):
                criterion = gr.HTML(elem_id="criterion", padding=False)
                buttons = [gr.Button(text, elem_id=name, variant="primary") for name, text in room.choices]
                buttons += [gr.Button(text, elem_id=name, variant="secondary") for name, text in (SKIP, BACK)]
                gr.HTML(f"<p>{escape(room.keys)}</p>", elem_id="keys", padding=False)
        # In the page, though unseen: what is sent with a label is what was on the screen.
        number = gr.Textbox(elem_id="number", show_label=False, container=False)
        shown = [number, progress, criterion, shown_item]

        def connect(listen: Any, does: Callable[..., MarkingView], inputs: Sequence[Any]) -> None:
            def event(person: str | None, *rest: str) -> Any:
                return does(person, *rest) if person else [gr.skip() for _ in shown]

            listen(event, inputs, shown, api_visibility="private", show_progress="hidden")

        marks = [partial(room.mark, name) for name, _ in room.choices]
        for button, action in zip(buttons, (*marks, room.skip, room.back), strict=True):
            connect(button.click, action, [person, number])
        connect(person.change, room.enter, [person])
        connect(blocks.load, room.enter, [person])
    return blocks.queue(api_open=False, max_size=20, default_concurrency_limit=1)
