"""What the page's events do. Every handler can be called by whoever reaches the address, with any arguments.

So who is asking, as which student, and what was said before comes from the host; the kind of report is looked up among
those there are.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gradio as gr

from app.store.conversations import ConversationGone
from app.store.database import StorageError
from app.store.limits import LimitReached
from app.web.conversations import ChatHost, Conversation
from app.web.line import LineFull, WaitingLine
from app.web.pictures import Pictures
from app.web.turn import ChatMessage, PendingAnswer, make_accordion
from scribe.plumbing.errors import ScribeError
from tools import conversation as questions
from tools.assembly.assistant import Assistant
from tools.conversation import QuestionRefused

Updates = tuple[Any, ...]
"""For the conversation, the question's box, and the buttons Send and Stop, in this order."""

log = logging.getLogger(__name__)

LOOK = 0.5
"""Seconds after which somebody who waits is told again how many are before them, and a stop is noticed."""


class PageEvents:
    """The events of the page of one course, in one language. say: the words of the page. line: shared by all pages."""

    def __init__(self, assistant: Assistant, host: ChatHost, line: WaitingLine, say: Mapping[str, Any]) -> None:
        self._assistant = assistant
        self._host = host
        self._line = line
        self._say = say
        self._pictures = Pictures(assistant.course)

    def ask(self, question: str, theory: str, student: str, request: gr.Request) -> Iterator[Updates]:
        """Answer one question, showing the place in the line, then each step and sentence as it comes."""
        try:
            conversation = self._host.open(request, theory, student)
            turn = self._make_turn(conversation, question, theory)
            with self._host.answering(conversation, turn), self._line.place() as count_before:
                began = time.monotonic()
                earlier, said = list(conversation.messages), [*conversation.messages]
                for shown in self._follow(turn, count_before):
                    said = [*earlier, *shown]
                    if self._host.is_open(request, conversation):
                        yield _busy(said)
                conversation.messages = said
                if turn.record is not None:
                    self._host.keep(conversation, turn.record, time.monotonic() - began)
                    conversation.take(turn.record)
        except ScribeError as error:
            self._host.note_refusal(error)
            self._warn(error)
            yield (gr.skip(), gr.skip(), gr.Button(visible=True), gr.Button(visible=False))
            return
        if self._host.is_open(request, conversation):
            yield _idle(said)

    def asking(self, question: str) -> Callable[..., Iterator[Updates]]:
        """The event of an example button; its text is fixed here, not read from the browser."""

        def ask_example(theory: str, student: str, request: gr.Request) -> Iterator[Updates]:
            yield from self.ask(question, theory, student, request)

        return ask_example

    def show(self, theory: str, student: str, request: gr.Request) -> Updates:
        """The report of this kind, or that there is none, and the conversation about it."""
        try:
            report = self._find_report(theory, student, request)
            return report, *_idle(self._host.open(request, theory, student).messages)
        except QuestionRefused as error:
            return self._say["refused"][error.kind], *_idle([])
        except ScribeError as error:
            self._warn(error)
            return (gr.skip(),) * 5

    def weighs(self, student: str, request: gr.Request) -> Any:
        """The picture of what weighs in this student's expected result, as HTML."""
        try:
            return self._pictures.importance(self._assistant.student(self._host.find_student(request, student)).id)
        except ScribeError as error:
            return self._warn(error)

    def topics(self, week: int | None) -> Any:
        """The picture of how topics build on each other, of what one week builds on, as HTML."""
        try:
            return self._pictures.topics(week or None)
        except ScribeError as error:
            return self._warn(error)

    def stop(self, request: gr.Request) -> None:
        self._host.stop(request)

    def clear(self, theory: str, student: str, request: gr.Request) -> Updates:
        """Begin a new conversation."""
        try:
            self._host.clear(request, theory, student)
        except ScribeError as error:
            self._warn(error)
        return _idle([])

    def leave(self, request: gr.Request) -> None:
        self._host.leave(request)

    def like(self, theory: str, student: str, request: gr.Request, data: gr.LikeData) -> None:
        """Keep a thumb on an answer, or take it back."""
        turn = self._find_answer(theory, student, request, data.index)
        thumb = {True: 1, False: -1}.get(data.liked, 0) if isinstance(data.liked, bool) else 0
        if turn is not None:
            self._host.rate(request, turn, thumb, None, "")

    def rate(self, theory: str, student: str, comment: str, request: gr.Request, *scales: int | None) -> Any:
        """Keep what somebody thinks of the last answer, from 1 to 5 each."""
        turn = self._find_answer(theory, student, request, None)
        if turn is None:
            gr.Info(self._say["rate_none"])
            return gr.skip()
        given = dict(zip(self._say["scales"], scales, strict=True))
        kept = {name: value for name, value in given.items() if value in (1, 2, 3, 4, 5)}
        self._host.rate(request, turn, None, kept, str(comment)[:2000])
        gr.Info(self._say["rate_saved"])
        return ""

    def _follow(self, turn: PendingAnswer, count_before: Callable[[float], int]) -> Iterator[list[ChatMessage]]:
        """What is shown of a turn, from its place in the line to its end."""
        before = count_before(0)
        while before and not turn.stopped.is_set():
            asked: ChatMessage = {"role": "user", "content": turn.task.question}
            title = self._say["waiting"].format(before=before)
            yield [asked, make_accordion(title, self._say["waiting_more"], "pending")]
            before = count_before(LOOK)
        yield from turn.messages()

    def _make_turn(self, conversation: Conversation, question: str, theory: str) -> PendingAnswer:
        """The question as a turn. Raises UsageError if it cannot be asked."""
        recent = conversation.exchanges[-self._assistant.settings.chat.history :]
        task = self._assistant.task(conversation.student, question, theory, recent)
        return PendingAnswer(self._assistant.agent(conversation.student), task, self._say)

    def _find_report(self, theory: str, student: str, request: gr.Request) -> str:
        found = self._assistant.student(self._host.find_student(request, student))
        return questions.find_report(found, theory)

    def _find_answer(self, theory: str, student: str, request: gr.Request, index: Any) -> str | None:
        """The id of the turn whose answer is the message at an index; of the last one without."""
        try:
            answers = self._host.open(request, theory, student).answers
        except ScribeError as error:
            self._warn(error)
            return None
        # Gradio takes all messages of an answer for one, and names the first of them.
        if index is None:
            return answers[max(answers)] if answers else None
        ends = [end for end in answers if isinstance(index, int) and end >= index]
        return answers[min(ends)] if ends else None

    def _warn(self, error: ScribeError) -> Any:
        """Say what cannot be done, and leave everything as it is."""
        refused = self._say["refused"]
        match error:
            case LimitReached():
                words = refused[error.kind].format(seconds=error.seconds, hours=-(-error.seconds // 3600))
            case LineFull():
                words = refused["full"]
            case QuestionRefused():
                words = refused[error.kind]
            case ConversationGone():
                words = refused["gone"]
            case StorageError():
                log.warning("a conversation could not be read or kept: %s", error)
                words = refused["storage"]
            case _:
                words = str(error)
        # Not gr.Error, which would also stamp "Error" over the conversation.
        gr.Warning(words[:1].upper() + words[1:], title=self._say["check"])
        return gr.skip()


def _busy(messages: Sequence[ChatMessage]) -> Updates:
    return list(messages), gr.Textbox(value=""), gr.Button(visible=False), gr.Button(visible=True)


def _idle(messages: Sequence[ChatMessage]) -> Updates:
    return list(messages), gr.skip(), gr.Button(visible=True), gr.Button(visible=False)
