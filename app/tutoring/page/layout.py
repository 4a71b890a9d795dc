"""The page's layout: task, code and tests on the left, the tutor on the right. Imports Gradio, so import it late."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr

from app.tutoring.page.desk import LONGEST_MESSAGE, TutoringDesk
from app.tutoring.page.events import TutorEvents
from app.tutoring.page.texts import load_tutor_texts
from app.web.line import AT_ONCE, WAITING

Link = tuple[str, str]
"""The name of a word of the page, and where it leads."""


@dataclass(frozen=True, slots=True)
class TaskParts:
    about: Any
    around: Any
    code: Any
    saved: Any
    run: Any
    show: Any
    status: Any
    results: Any


@dataclass(frozen=True, slots=True)
class TalkParts:
    progress: Any
    chat: Any
    go_on: Any
    asking: Any
    message: Any
    send: Any
    stop: Any
    fresh: Any
    sure: Any
    yes: Any
    no: Any


def build_tutor_page(desk: TutoringDesk, language: str, links: Sequence[Link] = ()) -> Any:
    """The page in one language as gr.Blocks, its queue set up, not yet listening; `?task=ID` says on which task.

    links: of the heading, beside that to all tasks.
    """
    say = load_tutor_texts(language)
    with gr.Blocks(title=f"Scribe · {say['title']}", analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML(_write_heading(say, [("all_tasks", f"../tasks/{language}"), *links]), elem_id="top", padding=False)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=7, min_width=300, elem_id="task-side"):
                task = _build_task_side(say)
            with gr.Column(scale=6, min_width=300, elem_id="talk-side"):
                talk = _build_talk_side(say)
        _connect(blocks, TutorEvents(desk, language), task, talk)
    # Closed: otherwise every event could be called past the queue. Its places are many, since `desk` holds people up.
    return blocks.queue(api_open=False, max_size=None, default_concurrency_limit=2 * (AT_ONCE + WAITING))


def _write_heading(say: Mapping[str, Any], links: Sequence[Link]) -> str:
    ways = "".join(f'<a class="way" href="{escape(where)}">{escape(say[name])}</a>' for name, where in links)
    # On a phone the dialogue lies below task and code, and for the keyboard behind an editor.
    jump = f'<a class="jump" href="#talk-side">{escape(say["jump"])}</a>'
    return f"<header><h1>Scribe</h1><p>{escape(say['title'])}</p>{jump}<nav>{ways}</nav></header>"


def _build_task_side(say: Mapping[str, Any]) -> TaskParts:
    about = gr.Markdown(elem_id="about", container=False)
    with gr.Accordion(say["around"], open=False, elem_id="around-box"):
        around = gr.Code(
            language="python",
            interactive=False,
            wrap_lines=True,
            label=say["around"],
            show_label=False,
            buttons=[],
            elem_id="around",
        )
    with gr.Row(elem_id="editor-head"):
        head = f'<h2 data-label="{escape(say["editor_label"])}">{escape(say["editor"])}</h2>'
        gr.HTML(head, padding=False)
        saved = gr.HTML(elem_id="saved", padding=False)
    code = gr.Code(
        language="python",
        interactive=True,
        lines=12,
        max_lines=28,
        wrap_lines=True,
        label=say["editor_label"],
        show_label=False,
        buttons=[],
        elem_id="editor",
    )
    with gr.Row(elem_id="running"):
        run = gr.Button(say["run"], variant="primary", scale=0, min_width=0, elem_id="run")
        show = gr.Button(say["show_tutor"], scale=0, min_width=0, visible=False, elem_id="show")
        gr.HTML(f"<p>{escape(say['keys'])}</p>", elem_id="keys", padding=False)
    status = gr.HTML(elem_id="status", padding=False)
    results = gr.HTML(elem_id="results", padding=False)
    return TaskParts(about, around, code, saved, run, show, status, results)


def _build_talk_side(say: Mapping[str, Any]) -> TalkParts:
    gr.HTML(f"<h2>{escape(say['tutor'])}</h2>", padding=False)
    progress = gr.HTML(elem_id="progress", padding=False)
    chat = gr.Chatbot(
        label=say["conversation"],
        show_label=False,
        height="100%",
        buttons=[],
        feedback_options=None,
        placeholder=say["empty"],
        elem_id="conversation",
    )
    go_on = gr.Button(say["begin"], variant="primary", visible=False, elem_id="go-on")
    with gr.Row(elem_id="asking", visible=False) as asking:
        message = gr.Textbox(
            label=say["message"],
            placeholder=say["example"],
            lines=1,
            max_lines=6,
            max_length=LONGEST_MESSAGE,
            scale=8,
            min_width=160,
            elem_id="message",
        )
        send = gr.Button(say["send"], variant="primary", scale=0, min_width=76, elem_id="send")
        stop = gr.Button(say["stop"], variant="stop", scale=0, min_width=76, visible=False, elem_id="stop")
    with gr.Row(elem_id="below"):
        gr.HTML(f"<p>{escape(say['notice'])}</p>", elem_id="notice", padding=False)
        fresh = gr.Button(say["fresh"], size="sm", min_width=0, scale=0, elem_id="fresh")
    with gr.Row(elem_id="sure", visible=False) as sure:
        gr.HTML(f"<p>{escape(say['sure'])}</p>", elem_id="sure-words", padding=False)
        yes = gr.Button(say["sure_yes"], size="sm", min_width=0, scale=0, elem_id="yes")
        no = gr.Button(say["sure_no"], size="sm", min_width=0, scale=0, elem_id="no")
    return TalkParts(progress, chat, go_on, asking, message, send, stop, fresh, sure, yes, no)


def _connect(blocks: Any, events: TutorEvents, task: TaskParts, talk: TalkParts) -> None:
    private = {"api_visibility": "private", "show_progress": "hidden"}
    shown = [talk.chat, talk.message, talk.send, talk.stop, talk.asking, talk.go_on, task.show, talk.progress]
    told = [task.status, task.results]
    blocks.load(events.open, None, [task.about, task.around, task.code, *told, *shown], **private)
    # The last one, or what was typed while one was under way would be kept when the next letter is typed.
    task.code.input(events.save, task.code, task.saved, trigger_mode="always_last", **private)
    task.run.click(events.run, task.code, [*told, task.run], **private)
    for event in (talk.message.submit, talk.send.click):
        event(events.say, [talk.message, task.code], shown, **private)
    task.show.click(events.show, task.code, shown, **private)
    talk.go_on.click(events.go_on, task.code, shown, **private)
    # Not queued: it must not wait behind what it is to stop.
    talk.stop.click(events.stop, None, None, queue=False, **private)
    talk.fresh.click(lambda: gr.Row(visible=True), None, talk.sure, queue=False, **private)
    talk.no.click(lambda: gr.Row(visible=False), None, talk.sure, queue=False, **private)
    talk.yes.click(events.begin_anew, None, [*told, *shown, talk.sure], **private)
