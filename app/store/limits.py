"""How much one person may ask: one question at a time, so many a minute and a day, over all processes."""

import contextlib
import math
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.store.database import Database, StorageError, lock_name
from app.store.schema import AskedRow, RunningRow
from app.store.settings import LimitSettings
from scribe.plumbing.errors import ScribeError

MINUTE, DAY = 60.0, 86_400.0
LEASE = 60.0
"""Seconds after which a question that is no longer renewed, its process being gone, lets its person ask again."""


class LimitReached(ScribeError):
    """A person may not ask now. kind: why; seconds: until they may again, at the earliest."""

    def __init__(self, kind: Literal["running", "minute", "day"], seconds: float) -> None:
        self.kind = kind
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"limit of questions reached ({kind}); again in {self.seconds} s")


class QuestionLimits:
    """Lets people in to ask. The rows of the database count, so several processes share one limit."""

    def __init__(self, database: Database, settings: LimitSettings, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._tickets: set[str] = set()
        self._renewer: threading.Thread | None = None
        self._lock = threading.Lock()

    @contextmanager
    def question(self, person: str) -> Iterator[None]:
        """The time in which this person's question is answered. Raises LimitReached at its beginning."""
        ticket = self._enter(person)
        with self._lock:
            self._tickets.add(ticket)
            if self._renewer is None:
                self._renewer = threading.Thread(target=self._renew, name="scribe-limits", daemon=True)
                self._renewer.start()
        try:
            yield
        finally:
            with self._lock:
                self._tickets.discard(ticket)
            with self._database.transaction() as session:
                session.execute(delete(RunningRow).filter_by(person=person, ticket=ticket))

    def _renew(self) -> None:
        """Renew the leases of questions that take long, until there are none."""
        while True:
            time.sleep(LEASE / 3)
            with self._lock:
                tickets = list(self._tickets)
                if not tickets:
                    self._renewer = None
                    return
            mine = update(RunningRow).where(RunningRow.ticket.in_(tickets))
            with contextlib.suppress(StorageError), self._database.transaction() as session:
                session.execute(mine.values(until=self._clock() + LEASE))

    def _enter(self, person: str) -> str:
        ticket, now = uuid.uuid4().hex, self._clock()
        with self._database.transaction() as session:
            lock_name(session, person)  # or two processes would both find that nothing is running
            session.execute(delete(AskedRow).where(AskedRow.at <= now - DAY))
            session.execute(delete(RunningRow).where(RunningRow.until <= now))
            running = session.get(RunningRow, person)
            if running is not None:
                raise LimitReached("running", running.until - now)
            self._count(session, person, now)
            session.add_all(
                [RunningRow(person=person, ticket=ticket, until=now + LEASE), AskedRow(person=person, at=now)]
            )
        return ticket

    def _count(self, session: Session, person: str, now: float) -> None:
        """Raise LimitReached if there were too many."""
        times = list(session.scalars(select(AskedRow.at).filter_by(person=person).order_by(AskedRow.at)))
        recent = [at for at in times if at > now - MINUTE]
        if self._settings.per_day and len(times) >= self._settings.per_day:
            raise LimitReached("day", times[-self._settings.per_day] + DAY - now)
        if self._settings.per_minute and len(recent) >= self._settings.per_minute:
            raise LimitReached("minute", recent[-self._settings.per_minute] + MINUTE - now)
