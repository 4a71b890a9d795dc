"""The chat of people who have signed in: each as the student they are, their conversations in the database."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from app.accounts.person import Person
from app.store.conversations import ConversationStore, StoredConversation
from app.store.limits import LimitReached, QuestionLimits
from app.web.conversations import Conversation
from app.web.turn import PendingAnswer, show_turn
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.records import Record


class QuestionWatch(Protocol):
    """Counts what happens to questions (`app.campus.operations`)."""

    def note_answer(self, course: str, stop: str, seconds: float) -> None:
        """A question is over."""
        ...

    def note_refusal(self, why: str) -> None:
        """A question was not let in."""
        ...


class AccountHost:
    """The chat of one course. The gate before it (`app.campus.gate`) has put into each request who is asking."""

    chooses_student = False

    def __init__(
        self, course: str, store: ConversationStore, limits: QuestionLimits, watch: QuestionWatch | None = None
    ) -> None:
        self._watch = watch
        self._course = course
        self._store = store
        self._limits = limits
        self._turns: dict[str, PendingAnswer] = {}
        self._lock = threading.Lock()

    def find_student(self, request: Any, chosen: str) -> str:
        """The student who is signed in; what the page says is not looked at. Raises UsageError for staff."""
        place = self._person(request).places.get(self._course)
        if place is None or not place.student:
            raise UsageError("you are not a student of this course")
        return place.student

    def open(self, request: Any, theory: str, chosen: str) -> Conversation:
        """The conversation that this person last went on with about this report, or a new one."""
        person, student = self._person(request).id, self.find_student(request, chosen)
        kept = self._store.latest(person, self._course, student, theory)
        if kept is None:
            return Conversation(person, student, id=self._store.begin(person, self._course, student, theory))
        return _restore(person, kept)

    @contextmanager
    def answering(self, conversation: Conversation, turn: PendingAnswer) -> Iterator[None]:
        """Raises LimitReached."""
        with self._limits.question(conversation.owner):
            with self._lock:
                self._turns[conversation.owner] = turn
            try:
                yield
            finally:
                with self._lock:
                    self._turns.pop(conversation.owner, None)

    def is_open(self, request: Any, conversation: Conversation) -> bool:
        """Always: a page shows one conversation, and another page of the same person shows it when it is loaded."""
        return True

    def keep(self, conversation: Conversation, record: Record, seconds: float) -> None:
        """Raises UsageError if the conversation was deleted meanwhile: then nothing is kept."""
        if self._watch is not None:
            self._watch.note_answer(self._course, str(record.stop or ""), seconds)
        self._store.add(conversation.owner, conversation.id, record, seconds)

    def note_refusal(self, error: ScribeError) -> None:
        """Count it by its kind."""
        if self._watch is not None:
            self._watch.note_refusal(error.kind if isinstance(error, LimitReached) else type(error).__name__)

    def stop(self, request: Any) -> None:
        """Stop this person's answer."""
        with self._lock:
            turn = self._turns.get(self._person(request).id)
        if turn is not None:
            turn.stopped.set()

    def clear(self, request: Any, theory: str, chosen: str) -> None:
        """Begin another conversation about this report; the earlier one is kept, until it is deleted."""
        self.stop(request)
        self._store.begin(self._person(request).id, self._course, self.find_student(request, chosen), theory)

    def leave(self, request: Any) -> None:
        """Nothing: Gradio ends an answer that nobody looks at, and what was said stays."""

    def rate(self, request: Any, turn: str, thumb: int | None, scales: dict[str, int] | None, comment: str) -> None:
        """Raises UsageError for an answer of another."""
        self._store.rate(self._person(request).id, turn, thumb, scales, comment or None)

    def _person(self, request: Any) -> Person:
        person = request.request.state.person
        if not isinstance(person, Person):
            raise UsageError("you are not signed in")
        return person


def _restore(person: str, kept: StoredConversation) -> Conversation:
    conversation = Conversation(person, kept.student, id=kept.id)
    for turn in kept.turns:
        conversation.messages += show_turn(turn.record)
        conversation.take(turn.record)
    return conversation
