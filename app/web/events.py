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
from tools import conversation as questions
from tools.assembly.assistant import Assistant

Updates = tuple[Any, ...]
"""For the conversation, the question's box, and the buttons Send and Stop, in this order."""


class PageEvents:
    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._conversations = Conversations()
        self._pictures = Pictures(assistant.course)

    def ask(self, question: str, student: str, theory: str, request: gr.Request) -> Iterator[Updates]:
        """Answer one question, showing each step and sentence as it comes."""
        session = str(request.session_hash)
        try:
            conversation = self._conversations.of(session, self._assistant.student(student).id)
            turn = self._begin(conversation, question, theory)
        except UsageError as error:
            yield _refuse(error, 4)
            return
        earlier = list(conversation.messages)
        try:
            for said in turn.messages():
                conversation.messages = [*earlier, *said]
                if self._conversations.holds(session, conversation):
                    yield _show(conversation.messages, busy=True)
        finally:
            conversation.turn = None
        if turn.record is not None and turn.record.answer:
            conversation.exchanges.append(Exchange(turn.task.question, turn.record.answer))
        if self._conversations.holds(session, conversation):
            yield _show(conversation.messages, busy=False)

    def asking(self, question: str) -> Callable[..., Iterator[Updates]]:
        """The event of an example button; its text is fixed here, not read from the browser."""

        def ask_example(student: str, theory: str, request: gr.Request) -> Iterator[Updates]:
            yield from self.ask(question, student, theory, request)

        return ask_example

    def choose(self, student: str, theory: str, request: gr.Request) -> Updates:
        """Become another demo student: another report, and a new conversation."""
        try:
            report = questions.find_report(self._assistant.student(student), theory)
        except UsageError as error:
            return _refuse(error, 5)
        self._conversations.forget(str(request.session_hash))
        return report, *_show([], busy=False)

    def report(self, student: str, theory: str) -> Any:
        """The report, as Markdown."""
        return _attempt(lambda: questions.find_report(self._assistant.student(student), theory))

    def weighs(self, student: str) -> Any:
        """The picture of what weighs in this student's expected result, as HTML."""
        return _attempt(lambda: self._pictures.importance(self._assistant.student(student).id))

    def topics(self, week: int | None) -> Any:
        """The picture of how topics build on each other, of what one week builds on, as HTML."""
        return _attempt(lambda: self._pictures.topics(week or None))

    def stop(self, request: gr.Request) -> None:
        self._conversations.stop(str(request.session_hash))

    def clear(self, request: gr.Request) -> Updates:
        self._conversations.forget(str(request.session_hash))
        return _show([], busy=False)

    def leave(self, request: gr.Request) -> None:
        self._conversations.forget(str(request.session_hash))

    def _begin(self, conversation: Conversation, question: str, theory: str) -> PendingAnswer:
        """The question as the turn under way. Raises UsageError if it cannot be asked, or not now."""
        recent = conversation.exchanges[-self._assistant.settings.chat.history :]
        task = self._assistant.task(conversation.student, question, theory, recent)
        turn = PendingAnswer(self._assistant.agent(conversation.student), task)
        if not conversation.begin(turn):
            raise UsageError("your earlier question is still being answered")
        return turn


def _show(messages: Sequence[ChatMessage], busy: bool) -> Updates:
    asked = gr.Textbox(value="") if busy else gr.skip()
    return list(messages), asked, gr.Button(visible=not busy), gr.Button(visible=busy)


def _attempt(work: Callable[[], str]) -> Any:
    """What the work gives; where it cannot be done, this is said, and everything stays as it is."""
    try:
        return work()
    except (UsageError, BundleError) as error:
        return _refuse(error, 1)[0]


def _refuse(error: UsageError | BundleError, outputs: int) -> Updates:
    """Say what cannot be done, and leave everything as it is."""
    words = str(error)
    # Not gr.Error, which would also stamp "Error" over the conversation.
    gr.Warning(words[:1].upper() + words[1:], title="Please check")
    return (gr.skip(),) * outputs
