"""What the page's events do. Each can be called by whoever reaches the address, with any values."""

import logging
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

import gradio as gr

from app.store.limits import LimitReached
from app.tutoring.keeping import LessonBusy, LessonGone
from app.tutoring.lesson import Lesson
from app.tutoring.page.desk import TutoringDesk, TutoringRefused
from app.tutoring.page.hosts import enter_patiently
from app.tutoring.page.results import read_saved, read_suite, summarise, write_cases, write_progress_line
from app.tutoring.page.texts import load_tutor_texts
from app.tutoring.page.turn import PendingTutorTurn, mark_names, show_session
from app.tutoring.page.visits import TutoringDoor, find_results
from app.web.line import LineFull
from app.web.turn import ChatMessage, make_accordion
from scribe.plumbing.errors import ScribeError
from scribe.sandbox.result import SandboxMissing

Updates = tuple[Any, ...]
TASK, TALK = 5, 8
"""How many parts show the task with its code and results, and the dialogue."""
LOOK = 0.5
"""Seconds after which somebody who waits is told again how many are before them."""

log = logging.getLogger(__name__)


class TutorEvents:
    """The events of the page in one language, `en` or `fr`."""

    def __init__(self, desk: TutoringDesk, language: str) -> None:
        self._desk, self._door = desk, TutoringDoor(desk, language)
        self._say: Mapping[str, Any] = load_tutor_texts(language)

    def open(self, request: gr.Request) -> Updates:
        """All of the page, when it is loaded: task, program, code, status, results, then the dialogue."""
        try:
            lesson = self._door.open(request.request)
            code = lesson.read_code() or lesson.task.stub
        except (ScribeError, OSError) as error:
            about = self._explain(error)
            return about, gr.skip(), gr.Code(interactive=False), "", "", *self._write_talk([], "absent"), ""
        brief, cases = lesson.session.brief, read_saved(find_results(lesson), self._say)
        told = escape(summarise(cases, self._say)) if cases else ""
        about = f"## {brief.title}\n\n{brief.description.strip()}"
        return about, brief.context, code, told, write_cases(cases, self._say, True), *self._show(lesson)

    def save(self, code: str | None, request: gr.Request) -> str:
        """Keep the code while it is typed; gives what is told beside the editor."""
        try:
            task = self._door.find_task(request.request)
            shelf = self._desk.host.shelf(request.request, task.id, self._door.language)
            self._door.keep_code(shelf, task, code)
        except (ScribeError, OSError) as error:
            return f'<p class="wrong">{escape(self._explain(error))}</p>'
        return f"<p>{escape(self._say['saved'])}</p>"

    def run(self, code: str | None, request: gr.Request) -> Iterator[Updates]:
        """Run the tests on the code. For status, results, and the button that runs them."""
        told: Updates = ("", gr.skip())
        try:
            lesson = self._door.open(request.request)
            self._door.keep_code(lesson.shelf, lesson.task, code)
            person = self._desk.host.name_person(request.request)
            with enter_patiently(lambda: self._desk.host.testing(person)), self._desk.tests.place() as count_before:
                while before := count_before(LOOK):
                    yield escape(self._say["waiting_tests"].format(before=before)), gr.skip(), _press(False)
                yield escape(self._say["running"]), gr.skip(), _press(False)
                cases = read_suite(lesson.run_tests(), lesson.task, self._say)
            told = escape(summarise(cases, self._say)), write_cases(cases, self._say)
        except SandboxMissing as error:
            more = f"<details><summary>{escape(self._say['no_sandbox_more'])}</summary>{escape(str(error))}</details>"
            told = escape(self._say["no_sandbox"]), more
        except (ScribeError, OSError) as error:
            running = isinstance(error, LimitReached) and error.kind == "running"
            self._warn(TutoringRefused("testing") if running else error)
        yield *told, _press(True)

    def say(self, text: str | None, code: str | None, request: gr.Request) -> Iterator[Updates]:
        """Say something to the tutor, with the code as it is, and have the answer. For the dialogue."""
        yield from self._talk(request, lambda lesson: self._door.hear(lesson, text, code))

    def show(self, code: str | None, request: gr.Request) -> Iterator[Updates]:
        """Let the tutor see code and results."""
        yield from self._talk(request, lambda lesson: self._door.hear(lesson, "", code))

    def go_on(self, code: str | None, request: gr.Request) -> Iterator[Updates]:
        """Let the tutor begin, or answer what was said before the page was left."""
        yield from self._talk(request, lambda lesson: self._door.keep_code(lesson.shelf, lesson.task, code))

    def stop(self, request: gr.Request) -> None:
        """Stop what this person's tutor is saying."""
        turn = self._desk.running.get(self._desk.host.name_person(request.request))
        if turn is not None:
            turn.stopped.set()

    def begin_anew(self, request: gr.Request) -> Updates:
        """Forget the dialogue; the code stays. For status, results, dialogue, and the row that asks whether to."""
        try:
            self.stop(request)
            return "", "", *self._show(self._door.open(request.request, fresh=True)), gr.Row(visible=False)
        except (ScribeError, OSError) as error:
            self._warn(error)
            return *(gr.skip() for _ in range(2 + TALK)), gr.Row(visible=False)

    def _talk(self, request: gr.Request, prepare: Callable[[Lesson], None]) -> Iterator[Updates]:
        """Prepare the lesson for the tutor's turn, have it made, and show both."""
        turn = PendingTutorTurn()
        try:
            lesson = self._door.open(request.request, turn)
            person = self._desk.host.name_person(request.request)
            with enter_patiently(lambda: self._desk.host.talking(person)):
                self._desk.running[person] = turn
                try:
                    prepare(lesson)
                    yield from self._follow(lesson, turn)
                finally:
                    self._desk.running.pop(person, None)
            if turn.trouble:
                self._warn(TutoringRefused(turn.trouble))
            yield self._show(self._door.open(request.request))
        except (ScribeError, OSError) as error:
            self._warn(error)
            yield self._show_again(request)

    def _follow(self, lesson: Lesson, turn: PendingTutorTurn) -> Iterator[Updates]:
        """What is shown of a turn, from its place in the line to its end."""
        if not lesson.awaits_tutor:  # another window of the same person was faster
            return
        earlier, line = show_session(lesson.session, self._say), self._write_progress(lesson)
        waits = make_accordion(self._say["thinking"], self._say["one_moment"], "pending")
        yield *self._write_talk([*earlier, waits], "sent"), line
        with self._desk.line.place() as count_before:
            while (before := count_before(LOOK)) and not turn.stopped.is_set():
                title = self._say["waiting"].format(before=before)
                queued = make_accordion(title, self._say["waiting_more"], "pending")
                yield *self._write_talk([*earlier, queued], "busy"), line
            for text in turn.follow(lesson):
                said: ChatMessage = {"role": "assistant", "content": mark_names(text)} if text else waits
                yield *self._write_talk([*earlier, said], "busy"), line

    def _show(self, lesson: Lesson) -> Updates:
        """The dialogue as it stands."""
        state = "begin" if not lesson.session.turns else "go_on" if lesson.awaits_tutor else "student"
        messages = show_session(lesson.session, self._say)
        return *self._write_talk(messages, state), self._write_progress(lesson)

    def _show_again(self, request: gr.Request) -> Updates:
        try:
            return self._show(self._door.open(request.request))
        except (ScribeError, OSError):
            return tuple(gr.skip() for _ in range(TALK))

    def _write_talk(self, messages: list[ChatMessage], state: str) -> Updates:
        """For the dialogue, message, Send, Stop, their row, and the buttons that let the tutor go on and see the code.

        state: who is next. begin, go_on: the tutor, once it is let; sent, busy: it is speaking; student; or absent.
        """
        busy = state in ("sent", "busy")
        return (
            messages,
            gr.Textbox(value="") if state == "sent" else gr.skip(),
            gr.Button(visible=state == "student"),
            gr.Button(visible=busy),
            gr.Row(visible=busy or state == "student"),
            gr.Button(self._say["begin" if state == "begin" else "go_on"], visible=state in ("begin", "go_on")),
            gr.Button(visible=state == "student"),
        )

    def _write_progress(self, lesson: Lesson) -> str:
        turns = lesson.session.turns
        return write_progress_line(lesson.session.brief, lesson.trace(), self._say) if turns else ""

    def _warn(self, error: Exception) -> None:
        """Say what cannot be done."""
        # Not gr.Error, which would also stamp "Error" over the page.
        gr.Warning(self._explain(error), title=self._say["check"])

    def _explain(self, error: Exception) -> str:
        refused = self._say["refused"]
        match error:
            case TutoringRefused():
                return str(refused.get(error.kind) or self._say[error.kind])
            case LimitReached():
                return str(refused[error.kind].format(seconds=error.seconds, hours=-(-error.seconds // 3600)))
            case LineFull():
                return str(refused["full"])
            case LessonGone():
                return str(refused["gone"])
            case LessonBusy():
                return str(refused["elsewhere"])
        log.warning("a lesson could not go on: %s", error)
        return str(error) if isinstance(error, ScribeError) else str(self._say["broken"])


def _press(possible: bool) -> Any:
    """Whether a button can be pressed."""
    return gr.Button(interactive=possible)
