"""What was said so far on a page, and the demo's place for it: memory, by the session's name, never the browser."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.store.limits import LimitReached
from app.web.turn import ChatMessage, PendingAnswer
from scribe.plumbing.errors import ScribeError
from scribe.records import Record
from scribe.trajectory import Exchange
from tools.assembly.assistant import Assistant


@dataclass(slots=True)
class Conversation:
    """One conversation of somebody about one student's report. answers: ids of turns, by the place of their message."""

    owner: str
    student: str
    exchanges: list[Exchange] = field(default_factory=list)
    messages: list[ChatMessage] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)
    id: str = ""

    def take(self, record: Record) -> None:
        """Let a turn whose messages are the last ones be part of what was said."""
        self.answers[len(self.messages) - 1] = record.id
        if record.answer:
            self.exchanges.append(Exchange(record.task.question, record.answer))


class ChatHost(Protocol):
    """Who may ask as which student, and where conversations are kept. Its methods raise ScribeError for "you may not".

    `request` is the Gradio request of an event; of its content only what the server itself put there is relied on.
    """

    chooses_student: bool

    def find_student(self, request: Any, chosen: str) -> str:
        """The student whose report is looked at: the chosen one in a demo, else the one who is signed in."""
        ...

    def open(self, request: Any, theory: str, chosen: str) -> Conversation:
        """The conversation under way about this report."""
        ...

    def answering(self, conversation: Conversation, turn: PendingAnswer) -> Any:
        """A context manager: the time in which a question is answered."""
        ...

    def is_open(self, request: Any, conversation: Conversation) -> bool:
        """Whether this page still shows this conversation."""
        ...

    def keep(self, conversation: Conversation, record: Record, seconds: float) -> None:
        """Keep a turn that is over."""
        ...

    def note_refusal(self, error: ScribeError) -> None:
        """A question was not let in."""
        ...

    def stop(self, request: Any) -> None:
        """Stop what is being answered, if anything."""
        ...

    def clear(self, request: Any, theory: str, chosen: str) -> None:
        """Begin anew."""
        ...

    def leave(self, request: Any) -> None:
        """The page was closed."""
        ...

    def rate(self, request: Any, turn: str, thumb: int | None, scales: dict[str, int] | None, comment: str) -> None:
        """Keep what somebody thinks of an answer."""
        ...


class DemoHost:
    """The demo: any simulated student, chosen in a menu; conversations live as long as the page.

    A session is a random name that the browser chooses. Whoever knows it could ask on in that conversation, which is
    why only simulated students may be asked about. The longest unused conversations are forgotten first.
    """

    chooses_student = True

    def __init__(self, assistant: Assistant, capacity: int = 500) -> None:
        self._assistant = assistant
        self._capacity = capacity
        self._conversations: OrderedDict[str, Conversation] = OrderedDict()
        self._turns: dict[str, PendingAnswer] = {}
        self._lock = threading.Lock()

    def find_student(self, request: Any, chosen: str) -> str:
        """Any student of the course. Raises UsageError for another."""
        return self._assistant.student(chosen).id

    def open(self, request: Any, theory: str, chosen: str) -> Conversation:
        """The session's conversation; a new one if it was about another student."""
        session, student = str(request.session_hash), self.find_student(request, chosen)
        with self._lock:
            known = self._conversations.get(session)
            if known is None or known.student != student:
                self._stop(session)
                known = self._conversations[session] = Conversation(session, student)
            self._conversations.move_to_end(session)
            while len(self._conversations) > self._capacity:
                self._stop(self._conversations.popitem(last=False)[0])
            return known

    @contextmanager
    def answering(self, conversation: Conversation, turn: PendingAnswer) -> Iterator[None]:
        """Raises LimitReached while another question of the session is being answered."""
        with self._lock:
            if conversation.owner in self._turns:
                raise LimitReached("running", 1)
            self._turns[conversation.owner] = turn
        try:
            yield
        finally:
            with self._lock:
                self._turns.pop(conversation.owner, None)

    def is_open(self, request: Any, conversation: Conversation) -> bool:
        """Whether the session has not gone on to another one."""
        return self._conversations.get(str(request.session_hash)) is conversation

    def keep(self, conversation: Conversation, record: Record, seconds: float) -> None:
        """Nothing is kept."""

    def note_refusal(self, error: ScribeError) -> None:
        """Nobody counts."""

    def stop(self, request: Any) -> None:
        """Stop this session's answer."""
        with self._lock:
            self._stop(str(request.session_hash))

    def clear(self, request: Any, theory: str, chosen: str) -> None:
        """Forget this session's conversation."""
        self.leave(request)

    def leave(self, request: Any) -> None:
        """Stop what is running in this session and drop all it said."""
        with self._lock:
            self._stop(str(request.session_hash))
            self._conversations.pop(str(request.session_hash), None)

    def rate(self, request: Any, turn: str, thumb: int | None, scales: dict[str, int] | None, comment: str) -> None:
        """Not in the demo."""

    def _stop(self, session: str) -> None:
        turn = self._turns.get(session)
        if turn is not None:
            turn.stopped.set()
