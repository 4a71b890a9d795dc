"""Figure 5: many conversations at once, each by what the page does with a question, but for the browser.

See `eval.bench.load`, which this package stands above.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.web.conversations import Conversation
from app.web.turn import ChatMessage, PendingAnswer
from eval.asking import read
from eval.bench import load, machine
from eval.bench.apart import tell
from eval.bench.load import Outcome
from eval.bench.loaded import HEAD, Load
from eval.bench.recorded import QUESTIONS
from eval.bench.streams import Streams
from eval.bench.table import Figure
from scribe.backends.llama import LlamaBackend
from scribe.errors import UsageError
from scribe.trajectory import Exchange
from tools.assembly.assistant import Assistant, assemble, find_course
from tools.assembly.model import locate_model, make_backend
from tools.assembly.settings import AssistantSettings

LOOKS = 10
"""How often the memory is looked at: each half minute of five."""


@dataclass(slots=True)
class PageTalk:
    """A conversation as `app.web.events` leads it: what was said before goes into the next question."""

    assistant: Assistant
    conversation: Conversation

    def ask(self, question: str, visible: Callable[[], None]) -> Outcome:
        """See `eval.bench.load.Talk`."""
        said, student = self.conversation, self.conversation.student
        recent = said.exchanges[-self.assistant.settings.chat.history :]
        turn = PendingAnswer(self.assistant.agent(student), self.assistant.task(student, question, None, recent))
        if not said.begin(turn):
            raise UsageError("the earlier question is still being answered")
        earlier = list(said.messages)
        try:
            for messages in turn.messages():
                said.messages = [*earlier, *messages]
                if _answers(messages[-1]):
                    visible()
        finally:
            said.turn = None
        if turn.record is None:
            return "failed"
        if turn.record.answer:
            said.exchanges.append(Exchange(question, turn.record.answer))
        return "answered" if turn.record.answer else "unresolved"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--conversations", type=int, default=32, metavar="N", help="at once (default: 32)")
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N", help="default: 5")
    parser.add_argument("--parallel", type=int, default=16, metavar="N", help="engine: turns at once (default: 16)")
    parser.add_argument("--keep-mb", type=int, default=256, metavar="N", help="engine: megabytes of prefixes kept")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def run(given: argparse.Namespace, settings: AssistantSettings) -> Figure:
    """Let them talk. Raises UsageError for what the settings or the course do not allow."""
    sizes = {"parallel": given.parallel, "keep_mb": given.keep_mb, "threads": given.threads}
    chosen = settings.with_changes("model", **sizes)
    found = talk_at_once(chosen, given.conversations, 60 * given.minutes, tell)
    title = f"{given.conversations} conversations at once, {given.minutes:g} minutes, {given.parallel} turns at once"
    where = machine.line(locate_model(chosen), given.threads)
    return Figure(title, where, HEAD, found.rows(), found.numbers(), found.notes())


def talk_at_once(chosen: AssistantSettings, conversations: int, seconds: float, tell: Callable[[str], None]) -> Load:
    """Let so many students talk for so long, and look at the memory ten times.

    Raises UsageError if the settings name another backend than llama, or the course has fewer students.
    """
    backend = make_backend(chosen)
    if not isinstance(backend, LlamaBackend):
        raise UsageError("this is about the engine; use the backend llama")
    course = find_course(chosen)
    students = list(course.students)[:conversations]
    if len(students) < conversations:
        raise UsageError(f"{course.id} has only {len(students)} students; give fewer conversations")
    streams = Streams(backend)
    assistant = assemble(chosen, course, streams)
    assistant.warm()
    talks = [PageTalk(assistant, Conversation(student)) for student in students]
    asked = [written.question for written in read(QUESTIONS) if not written.history]
    try:
        return load.let_talk(streams, backend.engine, talks, asked, seconds, seconds / LOOKS, tell)
    finally:
        backend.close()


def _answers(message: ChatMessage) -> bool:
    """Whether the page shows words of the answer, and not only which step is under way."""
    return message["role"] == "assistant" and "metadata" not in message
