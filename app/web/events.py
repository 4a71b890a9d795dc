"""What the page's events do. Of all the browser sends, only the session's name is relied on.

Every handler can be called by whoever reaches the address, so student and kind of report are looked up
among the valid ones, and what was said before comes from `conversations`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gradio as gr

from app.web.conversations import Conversation, Conversations
from app.web.pictures import Pictures
from app.web.turn import ChatMessage, PendingAnswer
from data.course import BundleError
from scribe.errors import UsageError
from scribe.trajectory import Exchange
from tools import conversation
from tools.assembly.assistant import Assistant

Updates = tuple[Any, ...]
"""For the conversation, the question's box, and the buttons Send and Stop, in this order."""


class PageEvents:
    """The events of the demo page for one course."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._conversations = Conversations()
        self._pictures = Pictures(assistant.course)

    def ask(self, question: str, student: str, theory: str, request: gr.Request) -> Iterator[Updates]:
        """Answer one question, showing each step and sentence as it comes."""
        try:
            conversation = self._conversation(student, request)
            turn = self._turn(conversation, question, theory)
            if not conversation.begin(turn):
                raise UsageError("your earlier question is still being answered")
        except UsageError as error:
            yield _refuse(error, 4)
            return
        earlier = list(conversation.messages)
        try:
            for said in turn.messages():
                conversation.messages = [*earlier, *said]
                if self._conversations.holds(str(request.session_hash), conversation):
                    yield _busy(conversation.messages)
        finally:
            conversation.turn = None
        if turn.record is not None and turn.record.answer:
            conversation.exchanges.append(Exchange(turn.task.question, turn.record.answer))
        if self._conversations.holds(str(request.session_hash), conversation):
            yield _idle(conversation.messages)

    def asking(self, question: str) -> Callable[..., Iterator[Updates]]:
        """The event of an example button; its text is fixed here, not read from the browser."""

        def ask_example(student: str, theory: str, request: gr.Request) -> Iterator[Updates]:
            yield from self.ask(question, student, theory, request)

        return ask_example

    def choose(self, student: str, theory: str, request: gr.Request) -> Updates:
        """Become another demo student: another report, and a new conversation."""
        try:
            report = conversation.find_report(self._assistant.student(student), theory)
        except UsageError as error:
            return _refuse(error, 5)
        self._conversations.forget(str(request.session_hash))
        return report, *_idle([])

    def report(self, student: str, theory: str) -> Any:
        """The report, as Markdown."""
        try:
            return conversation.find_report(self._assistant.student(student), theory)
        except UsageError as error:
            return _refuse(error, 1)[0]

    def weighs(self, student: str) -> Any:
        """The picture of what weighs in this student's expected result, as HTML."""
        try:
            return self._pictures.importance(self._assistant.student(student))
        except UsageError as error:
            return _refuse(error, 1)[0]

    def topics(self, week: int | None) -> Any:
        """The picture of how topics build on each other, of what one week builds on, as HTML."""
        try:
            return self._pictures.topics(week or None)
        except BundleError as error:
            return _refuse(error, 1)[0]

    def stop(self, request: gr.Request) -> None:
        """Stop answering."""
        self._conversations.stop(str(request.session_hash))

    def clear(self, request: gr.Request) -> Updates:
        """Forget the conversation."""
        self._conversations.forget(str(request.session_hash))
        return _idle([])

    def leave(self, request: gr.Request) -> None:
        """The page was closed."""
        self._conversations.forget(str(request.session_hash))

    def _turn(self, conversation: Conversation, question: str, theory: str) -> PendingAnswer:
        recent = conversation.exchanges[-self._assistant.settings.chat.history :]
        task = self._assistant.task(conversation.student, question, theory, recent)
        return PendingAnswer(self._assistant.agent(conversation.student), task)

    def _conversation(self, student: str, request: gr.Request) -> Conversation:
        return self._conversations.of(str(request.session_hash), self._assistant.student(student).id)


def _busy(messages: Sequence[ChatMessage]) -> Updates:
    return list(messages), gr.Textbox(value=""), gr.Button(visible=False), gr.Button(visible=True)


def _idle(messages: Sequence[ChatMessage]) -> Updates:
    return list(messages), gr.skip(), gr.Button(visible=True), gr.Button(visible=False)


def _refuse(error: UsageError | BundleError, outputs: int) -> Updates:
    """Say what cannot be done, and leave everything as it is."""
    words = str(error)
    # Not gr.Error, which would also stamp "Error" over the conversation.
    gr.Warning(words[:1].upper() + words[1:], title="Please check")
    return (gr.skip(),) * outputs
