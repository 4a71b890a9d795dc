"""What was said so far in each open page. Kept here, in memory, and never read back from the browser."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from app.web.turn import ChatMessage, PendingAnswer
from scribe.trajectory import Exchange


@dataclass(slots=True)
class Conversation:
    """One page's conversation as one student. At most one question at a time is being answered."""

    student: str
    exchanges: list[Exchange] = field(default_factory=list)
    messages: list[ChatMessage] = field(default_factory=list)
    turn: PendingAnswer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, turn: PendingAnswer) -> bool:
        """Make this the turn under way; False if there is one already."""
        with self._lock:
            if self.turn is not None:
                return False
            self.turn = turn
            return True

    def stop(self) -> None:
        if (turn := self.turn) is not None:
            turn.stopped.set()


class Conversations:
    """The conversations of all open pages by session; the longest unused are forgotten first.

    A session is a random name that the browser chooses. Whoever knows it could ask on in that
    conversation, which is why only simulated students may be asked about until there are logins.
    """

    def __init__(self, capacity: int = 500) -> None:
        self._capacity = capacity
        self._by_session: OrderedDict[str, Conversation] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: str, student: str) -> Conversation:
        """This session's conversation as this student; a new one if it was another student's."""
        with self._lock:
            known = self._by_session.get(session)
            if known is None or known.student != student:
                if known is not None:
                    known.stop()
                known = self._by_session[session] = Conversation(student)
            self._by_session.move_to_end(session)
            while len(self._by_session) > self._capacity:
                self._by_session.popitem(last=False)[1].stop()
            return known

    def holds(self, session: str, conversation: Conversation) -> bool:
        """Whether this is still the session's conversation."""
        return self._by_session.get(session) is conversation

    def forget(self, session: str) -> None:
        """Stop what is running in this session and drop all it said."""
        with self._lock:
            self.stop(session)
            self._by_session.pop(session, None)

    def stop(self, session: str) -> None:
        known = self._by_session.get(session)
        if known is not None:
            known.stop()
