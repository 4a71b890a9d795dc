"""How much one person may ask: one question at a time, so many a minute and a day, over all processes."""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from app.store.database import Database, StorageError, lock_name
from app.store.schema import AskedRow, RunningRow
from app.store.settings import LimitSettings
from app.store.tickets import give_back, is_abandoned, take_ticket
from scribe.plumbing.errors import ScribeError

MINUTE, DAY = 60.0, 86_400.0
LEASE = 60.0
"""Seconds after which a question that is no longer renewed, its machine being gone, lets its person ask again."""
SLACK = 60.0
"""Seconds by which the clocks of several machines may differ."""

log = logging.getLogger(__name__)


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
        """The time in which this person's question is answered. At its beginning raises LimitReached, StorageError."""
        ticket = take_ticket()
        try:
            self._enter(person, ticket)
        except BaseException:
            give_back(ticket)
            raise
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
            give_back(ticket)
            try:
                with self._database.transaction() as session:
                    session.execute(delete(RunningRow).filter_by(person=person, ticket=ticket))
            except StorageError as error:  # the row is abandoned then, and keeps nobody waiting
                log.warning("the end of a question could not be kept: %s", error)

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

    def _enter(self, person: str, ticket: str) -> None:
        now = self._clock()
        with self._database.transaction() as session:
            lock_name(session, person)  # or two processes would both find that nothing is running
            # What lies ahead was written before the clock was put back, and would count until it is there again.
            session.execute(delete(AskedRow).where(or_(AskedRow.at <= now - DAY, AskedRow.at > now + SLACK)))
            over = or_(RunningRow.until <= now, RunningRow.until > now + LEASE + SLACK)
            session.execute(delete(RunningRow).where(over))
            running = session.get(RunningRow, person)
            if running is not None and not is_abandoned(running.ticket):
                raise LimitReached("running", running.until - now)
            self._count(session, person, now)
            session.merge(RunningRow(person=person, ticket=ticket, until=now + LEASE))
            session.add(AskedRow(person=person, at=now))

    def _count(self, session: Session, person: str, now: float) -> None:
        """Raise LimitReached if there were too many."""
        times = list(session.scalars(select(AskedRow.at).filter_by(person=person).order_by(AskedRow.at)))
        recent = [at for at in times if at > now - MINUTE]
        if self._settings.per_day and len(times) >= self._settings.per_day:
            raise LimitReached("day", times[-self._settings.per_day] + DAY - now)
        if self._settings.per_minute and len(recent) >= self._settings.per_minute:
            raise LimitReached("minute", recent[-self._settings.per_minute] + MINUTE - now)
