"""The page's layout: the report on the left, the chat on the right. Imports Gradio, so import it late."""

from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr

from app.web.events import PageEvents
from data.course import Course
from tools import conversation
from tools.assembly.assistant import Assistant
from tools.conversation import THEORIES

WAITING = 20
"""Questions that may wait; whoever comes after is told that it is busy."""
AT_ONCE = 4

NOTICE = (
    "Answers come from a small language model on this machine and can be wrong. "
    "Check what matters with your course team."
)


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


def build_page(assistant: Assistant) -> Any:
    """The demo page for one course as gr.Blocks, its queue set up, not yet listening."""
    course = assistant.course
    events = PageEvents(assistant)
    with gr.Blocks(title=f"Scribe · {course.title}", analytics_enabled=False, fill_width=True) as blocks:
        # On a phone the chat lies below a long report, and for the keyboard behind its menus.
        jump = '<a href="#question">Go to the question box</a>'
        heading = f"<header><h1>Scribe</h1><p>{escape(course.title)}</p>{jump}</header>"
        gr.HTML(heading, elem_id="top", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=5, min_width=300, elem_id="report-side"):
                report_side = _report_side(assistant)
                weighs = _make_pictures("What weighs in my result", "weighs", "my-map")
            with gr.Column(scale=7, min_width=300, elem_id="chat-side"):
                chat_side = _chat_side(course)
        # Below both columns, since a map of all weeks is wide.
        topics = _make_pictures("How topics build on each other", "topics", "topic-map", course.weeks)
        _connect(blocks, events, PageParts(*report_side, *chat_side, *weighs, *topics))
    # Closed: otherwise every event could be called past the queue and its limits.
    return blocks.queue(api_open=False, max_size=WAITING, default_concurrency_limit=AT_ONCE)


def example_questions(course: Course) -> tuple[str, ...]:
    """Questions that fit any course, for its present week."""
    done = course.weeks_done
    ahead = min(done + 1, course.weeks)
    return (
        f"Where was I weak in week {done}?",
        f"What did I do well in week {max(1, done - 1)}?",
        f"What is week {ahead} about?",
        f"What should I know before week {min(done + 3, course.weeks)}?",
        "How many points am I missing to pass?",
        "Would it help to start the lectures earlier?",
    )


def _report_side(assistant: Assistant) -> tuple[Any, Any, Any]:
    ids = list(assistant.course.students)
    first = assistant.course.students[ids[0]]
    kind = assistant.settings.courses.theory
    gr.HTML("<h2>Your feedback report</h2>", padding=False)
    with gr.Column(elem_id="choices"):
        student = gr.Dropdown(ids, value=first.id, label="Demo student (simulated)", elem_id="student")
        choices = [(words, key) for key, words in THEORIES.items()]
        theory = gr.Radio(choices, value=kind, label="The report explains", elem_id="theory")
    report = gr.Markdown(first.reports.get(kind, ""), elem_id="report", container=False)
    return student, theory, report


def _make_pictures(title: str, name: str, picture_id: str, weeks: int = 0) -> tuple[Any, ...]:
    """Closed, and drawn only when it is opened; with a choice of the week if there are any."""
    with gr.Accordion(title, open=False, elem_id=name) as box:
        choices = [("The whole course", 0), *((f"What week {week} builds on", week) for week in range(2, weeks + 1))]
        chosen = [gr.Dropdown(choices, value=0, label="Show", filterable=False, elem_id="week")] if weeks else []
        picture = gr.HTML("<p>One moment, please.</p>", padding=False, elem_id=picture_id)
    return (box, *chosen, picture)


def _chat_side(course: Course) -> tuple[Any, ...]:
    gr.HTML("<h2>Ask about it</h2>", padding=False)
    chat = gr.Chatbot(
        label="Conversation",
        show_label=False,
        height="100%",
        buttons=[],
        feedback_options=None,
        placeholder="Ask about your report, or choose a question below.",
        elem_id="conversation",
    )
    with gr.Row(elem_id="examples"):
        examples = tuple(gr.Button(text, size="sm", min_width=0, scale=0) for text in example_questions(course))
    with gr.Row(elem_id="asking"):
        question = gr.Textbox(
            label="Your question",
            placeholder="e.g. What is week 6 about?",
            lines=1,
            max_lines=4,
            max_length=conversation.LONGEST_QUESTION,
            scale=8,
            min_width=160,
            elem_id="question",
        )
        send = gr.Button("Send", variant="primary", scale=0, min_width=76, elem_id="send")
        stop = gr.Button("Stop", variant="stop", scale=0, min_width=76, visible=False, elem_id="stop")
    with gr.Row(elem_id="below"):
        gr.HTML(f"<p>{escape(NOTICE)}</p>", elem_id="notice", padding=False)
        clear = gr.Button("Clear conversation", size="sm", min_width=0, scale=0, elem_id="clear")
    return chat, question, send, stop, clear, examples


def _connect(blocks: Any, events: PageEvents, parts: PageParts) -> None:
    private = {"api_visibility": "private", "show_progress": "hidden"}
    shown = [parts.chat, parts.question, parts.send, parts.stop]
    who = [parts.student, parts.theory]
    for event in (parts.question.submit, parts.send.click):
        event(events.ask, [parts.question, *who], shown, **private)
    for button in parts.examples:
        button.click(events.asking(button.value), who, shown, **private)
    # Not queued: it must not wait behind what it is to stop.
    parts.stop.click(events.stop, None, None, queue=False, **private)
    for event in (parts.clear.click, parts.chat.clear):
        event(events.clear, None, shown, **private)
    parts.student.change(events.choose, who, [parts.report, *shown], **private)
    parts.theory.change(events.report, who, parts.report, **private)
    blocks.unload(events.leave)
    last = {**private, "trigger_mode": "always_last"}
    # One event with two causes each: of two maps asked for at once, the last one stays.
    gr.on([parts.my_box.expand, parts.student.change], events.weighs, parts.student, parts.my_map, **last)
    gr.on([parts.topic_box.expand, parts.week.change], events.topics, parts.week, parts.topic_map, **last)
