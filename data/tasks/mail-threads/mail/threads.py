"""Messages that belong together."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from mail.subjects import bare_subject

WINDOW = timedelta(days=7)
"""How long after the latest message of a thread its subject still belongs to it."""


@dataclass(frozen=True)
class Message:
    """One message; `reply_to` is the id of the message that it answers."""

    id: str
    subject: str
    sent: datetime
    reply_to: str | None = None


@dataclass
class Thread:
    """Messages that belong together, the oldest first."""

    subject: str
    messages: list[Message] = field(default_factory=list)

    @property
    def latest(self) -> datetime:
        """When the newest message was sent."""
        return self.messages[-1].sent


def group_threads(messages: list[Message]) -> list[Thread]:
    """The threads of messages, the one with the latest message first."""
    raise NotImplementedError
