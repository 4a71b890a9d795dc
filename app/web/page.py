"""The page's layout: the report on the left, the chat on the right. Imports Gradio, so import it late."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr

from app.web.conversations import ChatHost, DemoHost
from app.web.events import PageEvents
from app.web.line import AT_ONCE, WAITING, WaitingLine
from app.web.texts import load_page_texts
from data.course import Course
from tools import conversation as questions
from tools.assembly.assistant import Assistant


@dataclass(frozen=True, slots=True)
class PageParts:
    student: Any
    theory: Any
    report: Any
    chat: Any
    question: Any
    send: Any
    stop: Any
    clear: Any
    examples: tuple[Any, ...]
    my_box: Any
    my_map: Any
    topic_box: Any
    week: Any
    topic_map: Any


def build_page(
    assistant: Assistant,
    host: ChatHost | None = None,
    language: str = "en",
    line: WaitingLine | None = None,
    tutor: str = "",
) -> Any:
    """The page of one course in one language as gr.Blocks, its queue set up, not yet listening.

    host: whose chat it is; without, a demo. line: the one in which this page's questions wait with those of others.
    tutor: where the coding tutor is, if it is open.
    """
    course, say = assistant.course, load_page_texts(language)
    host = host or DemoHost(assistant)
    line = line if line is not None else WaitingLine(AT_ONCE, WAITING)  # an empty line is false
    events = PageEvents(assistant, host, line, say)
    with gr.Blocks(title=f"Scribe · {course.title}", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML(_heading(course, say, host.chooses_student, tutor), elem_id="top", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=5, min_width=300, elem_id="report-side"):
                report_side = _report_side(assistant, say, host.chooses_student)
                weighs = _weighs(say)
            with gr.Column(scale=7, min_width=300, elem_id="chat-side"):
                chat_side = _chat_side(course, say, host.chooses_student)
                rating = None if host.chooses_student else _rating(say)
        topics = _topics(course, say)
        parts = PageParts(*report_side, *chat_side, *weighs, *topics)
        _connect(blocks, events, parts)
        if rating is not None:
            _connect_account(blocks, events, parts, rating)
    # Closed: otherwise every event could be called past the queue. Its places are many, since `line` holds people up.
    return blocks.queue(api_open=False, max_size=None, default_concurrency_limit=2 * (AT_ONCE + WAITING))


def example_questions(course: Course, say: Mapping[str, Any]) -> tuple[str, ...]:
    """Questions that fit any course, for its present week."""
    done = course.weeks_done
    weeks = {
        "done": done,
        "before": max(1, done - 1),
        "next": min(done + 1, course.weeks),
        "later": min(done + 3, course.weeks),
    }
    return tuple(each.format(**weeks) for each in say["examples"])


def _heading(course: Course, say: Mapping[str, Any], demo: bool, tutor: str) -> str:
    # On a phone the chat lies below a long report, and for the keyboard behind its menus.
    jump = f'<a href="#question">{escape(say["jump"])}</a>'
    mine = "" if demo else f'<a id="mine" href="/mine">{escape(say["my_data"])}</a>'
    other = f'<a id="tutor" href="{escape(tutor)}">{escape(say["tutor"])}</a>' if tutor else ""
    return f"<header><h1>Scribe</h1><p>{escape(course.title)}</p>{jump}{other}{mine}</header>"


def _report_side(assistant: Assistant, say: Mapping[str, Any], demo: bool) -> tuple[Any, Any, Any]:
    ids = list(assistant.course.students)
    first = assistant.course.students[ids[0]]
    kind = assistant.settings.courses.theory
    gr.HTML(f"<h2>{escape(say['report'])}</h2>", padding=False)
    with gr.Column(elem_id="choices"):
        student = gr.State("")  # of nobody: the host knows who is signed in
        if demo:
            student = gr.Dropdown(ids, value=first.id, label=say["demo_student"], elem_id="student")
        choices = [(words, key) for key, words in say["theories"].items()]
        theory = gr.Radio(choices, value=kind, label=say["theory"], elem_id="theory")
    # The page is the same for all who open it, so only a demo's first report may stand in it.
    report = gr.Markdown(first.reports.get(kind, "") if demo else "", elem_id="report", container=False)
    return student, theory, report


def _weighs(say: Mapping[str, Any]) -> tuple[Any, Any]:
    """Closed, and drawn only when it is opened."""
    with gr.Accordion(say["weighs"], open=False, elem_id="weighs") as box:
        picture = gr.HTML(f"<p>{escape(say['one_moment'])}</p>", padding=False, elem_id="my-map")
    return box, picture


def _topics(course: Course, say: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Below both columns, since a map of all weeks is wide."""
    weeks = [(say["builds_on"].format(week=week), week) for week in range(2, course.weeks + 1)]
    with gr.Accordion(say["topics"], open=False, elem_id="topics") as box:
        choices = [(say["whole_course"], 0), *weeks]
        week = gr.Dropdown(choices, value=0, label=say["show"], filterable=False, elem_id="week")
        picture = gr.HTML(f"<p>{escape(say['one_moment'])}</p>", padding=False, elem_id="topic-map")
    return box, week, picture


def _chat_side(course: Course, say: Mapping[str, Any], demo: bool) -> tuple[Any, Any, Any, Any, Any, Any]:
    gr.HTML(f"<h2>{escape(say['ask'])}</h2>", padding=False)
    chat = gr.Chatbot(
        label=say["conversation"],
        show_label=False,
        height="100%",
        buttons=[],
        feedback_options=None if demo else ("Like", "Dislike"),
        placeholder=say["empty"],
        elem_id="conversation",
    )
    with gr.Row(elem_id="examples"):
        examples = tuple(gr.Button(text, size="sm", min_width=0, scale=0) for text in example_questions(course, say))
    with gr.Row(elem_id="asking"):
        question = gr.Textbox(
            label=say["question"],
            placeholder=say["example"],
            lines=1,
            max_lines=4,
            max_length=questions.LONGEST_QUESTION,
            scale=8,
            min_width=160,
            elem_id="question",
        )
        send = gr.Button(say["send"], variant="primary", scale=0, min_width=76, elem_id="send")
        stop = gr.Button(say["stop"], variant="stop", scale=0, min_width=76, visible=False, elem_id="stop")
    with gr.Row(elem_id="below"):
        gr.HTML(f"<p>{escape(say['notice'])}</p>", elem_id="notice", padding=False)
        clear = gr.Button(say["clear" if demo else "new"], size="sm", min_width=0, scale=0, elem_id="clear")
    return chat, question, send, stop, clear, examples


def _rating(say: Mapping[str, Any]) -> tuple[Any, ...]:
    """The five scales, a comment, and the button that keeps them."""
    with gr.Accordion(say["rate"], open=False, elem_id="rating"):
        scales = [
            gr.Radio([1, 2, 3, 4, 5], label=words, elem_id=f"scale-{key}") for key, words in say["scales"].items()
        ]
        comment = gr.Textbox(label=say["rate_comment"], lines=2, max_length=2000, elem_id="comment")
        save = gr.Button(say["rate_save"], size="sm", scale=0, elem_id="save-rating")
    return comment, save, *scales


def _connect(blocks: Any, events: PageEvents, parts: PageParts) -> None:
    private = {"api_visibility": "private", "show_progress": "hidden"}
    shown = [parts.chat, parts.question, parts.send, parts.stop]
    who = [parts.theory, parts.student]
    for event in (parts.question.submit, parts.send.click):
        event(events.ask, [parts.question, *who], shown, **private)
    for button in parts.examples:
        button.click(events.asking(button.value), who, shown, **private)
    # Not queued: it must not wait behind what it is to stop.
    parts.stop.click(events.stop, None, None, queue=False, **private)
    for event in (parts.clear.click, parts.chat.clear):
        event(events.clear, who, shown, **private)
    parts.theory.change(events.show, who, [parts.report, *shown], **private)
    blocks.unload(events.leave)
    last = {**private, "trigger_mode": "always_last"}
    weighs: list[Any] = [parts.my_box.expand]
    if isinstance(parts.student, gr.Dropdown):
        parts.student.change(events.show, who, [parts.report, *shown], **private)
        weighs.append(parts.student.change)
    # One event with two causes each: of two maps asked for at once, the last one stays.
    gr.on(weighs, events.weighs, parts.student, parts.my_map, **last)
    gr.on([parts.topic_box.expand, parts.week.change], events.topics, parts.week, parts.topic_map, **last)


def _connect_account(blocks: Any, events: PageEvents, parts: PageParts, rating: tuple[Any, ...]) -> None:
    """What only people with an account have: their report and conversation when the page opens, and ratings."""
    private = {"api_visibility": "private", "show_progress": "hidden"}
    who, (comment, save, *scales) = [parts.theory, parts.student], rating
    shown = [parts.report, parts.chat, parts.question, parts.send, parts.stop]
    blocks.load(events.show, who, shown, **private)
    parts.chat.like(events.like, who, None, **private)
    save.click(events.rate, [*who, comment, *scales], comment, **private)
