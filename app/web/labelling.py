"""The page on which people label answers blind, each on their own. Imports Gradio, so import it late."""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

from app.web import labelling_words as words
from eval.agreement.labelling import LabelItem, Labelling, LabelRequest
from eval.judge.rubric import Rubric
from scribe.records import Record

STYLE = Path(__file__).with_name("labelling.css")
SCRIPT = Path(__file__).with_name("labelling.js")

Shown = tuple[str, str, str, str]
"""Number and whose it is, progress, criterion, answer."""


class Room:
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
        return self._shown(person, self._each[person].next())

    def yes(self, person: str, number: str) -> Shown:
        """Keep a YES of what was seen under this number."""
        return self._labelled(person, number, True)

    def no(self, person: str, number: str) -> Shown:
        """Keep a NO of what was seen under this number."""
        return self._labelled(person, number, False)

    def skip(self, person: str, number: str) -> Shown:
        """Leave it for the end."""
        seen = _seen(person, number)
        return self._shown(person, self._each[person].next(-1 if seen is None else seen))

    def back(self, person: str) -> Shown:
        """Take the last label back."""
        return self._shown(person, self._each[person].back())

    def _labelled(self, person: str, number: str, value: bool) -> Shown:
        labelling = self._each[person]
        # The number comes from the page: a second press before it has changed is of what was seen, not of what follows.
        seen = _seen(person, number)
        asked = labelling.next() if seen is None else labelling.label(seen, value)
        return self._shown(person, asked)

    def _shown(self, person: str, asked: LabelRequest | None) -> Shown:
        labelling = self._each[person]
        progress = words.progress(labelling.done, labelling.count)
        if asked is None:
            return "", progress, words.THANKS, ""
        record = asked.item.record
        answer = words.answer(record, self._tools(record))
        return f"{asked.number} {person}", progress, words.criterion(asked), answer


def _seen(person: str, number: str) -> int | None:
    """What this person had on the screen; None if it was nothing, or another person's of the same page."""
    digits, _, whose = number.partition(" ")
    return int(digits) if digits.isdecimal() and whose == person else None


def page(room: Room) -> Any:
    """The page as gr.Blocks, its queue set up, not yet listening."""
    with gr.Blocks(title="Scribe · labelling", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML("<h1>Is this answer as it should be?</h1>", padding=False)
        person = gr.Radio(room.people, value=_only(room), label="I am", elem_id="person", visible=len(room.people) > 1)
        progress = gr.HTML(elem_id="progress", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=7, min_width=300):
                answer = gr.HTML(words.CHOOSE, elem_id="answer", padding=False)
            with gr.Column(scale=4, min_width=280, elem_id="asked"):
                criterion = gr.HTML(elem_id="criterion", padding=False)
                buttons = [gr.Button(text, elem_id=name, variant=kind) for name, text, kind in words.BUTTONS]
                gr.HTML(f"<p>{escape(words.KEYS)}</p>", elem_id="keys", padding=False)
        # In the page, though unseen: what is sent with a label is what was on the screen.
        number = gr.Textbox(elem_id="number", show_label=False, container=False)
        _connect(blocks, room, person, buttons, [number, progress, criterion, answer])
    return blocks.queue(api_open=False, max_size=20, default_concurrency_limit=1)


def _only(room: Room) -> str | None:
    return room.people[0] if len(room.people) == 1 else None


def _connect(blocks: Any, room: Room, person: Any, buttons: Sequence[Any], shown: Sequence[Any]) -> None:
    private = {"api_visibility": "private", "show_progress": "hidden"}
    yes, no, skip, back = buttons
    for button, does in ((yes, room.yes), (no, room.no), (skip, room.skip)):
        button.click(_known(does, shown), [person, shown[0]], shown, **private)
    back.click(_known(room.back, shown), person, shown, **private)
    person.change(_known(room.enter, shown), person, shown, **private)
    blocks.load(_known(room.enter, shown), person, shown, **private)


def _known(does: Any, shown: Sequence[Any]) -> Any:
    """The event, which does nothing until somebody has said who they are."""

    def event(person: str | None, *rest: str) -> Any:
        return does(person, *rest) if person else [gr.skip() for _ in shown]

    return event
