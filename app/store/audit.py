"""Who did what to whose data; rows are only ever added, and purged when they are old."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select

from app.store.database import Database
from app.store.schema import AuditRow


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One thing that somebody did. actor and subject are pseudonyms, or the name of a conversation."""

    at: float
    actor: str
    action: str
    subject: str


class AuditLog:
    """The record of who did what."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def note(self, actor: str, action: str, subject: str = "") -> None:
        """Keep that an actor did something, e.g. "read transcript", to a subject."""
        with self._database.transaction() as session:
            session.add(AuditRow(at=self._clock(), actor=actor, action=action, subject=subject))

    def entries(self, most: int = 1000) -> list[AuditEntry]:
        """The newest so many, newest first."""
        with self._database.transaction() as session:
            rows = session.scalars(select(AuditRow).order_by(AuditRow.id.desc()).limit(most))
            return [AuditEntry(row.at, row.actor, row.action, row.subject) for row in rows]
