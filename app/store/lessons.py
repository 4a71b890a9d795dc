"""Lessons with the coding tutor: each call is about one person's."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.store.database import Database, lock_name
from app.store.schema import LessonRow
from scribe.tutor.records import SavedSession, read_session, write_session


@dataclass(frozen=True, slots=True)
class StoredLesson:
    """The place of one person's lesson on a task in a language, an `app.tutoring.keeping.LessonShelf`."""

    database: Database
    person: str
    task: str
    language: str
    clock: Callable[[], float] = time.time

    @property
    def name(self) -> str:
        """Person, task and language."""
        return f"{self.person}/{self.task}.{self.language}"

    def load(self) -> SavedSession | None:
        """Raises StorageError, or RecordError for what another version wrote."""
        with self.database.transaction() as session:
            return self._read(self._find(session))

    def change(self, change: Callable[[SavedSession | None], SavedSession]) -> SavedSession:
        """Raises what `change` raises; then nothing is changed."""
        with self.database.transaction() as session:
            row = self._open(session)
            saved = change(self._read(row))
            row.saved = write_session(saved)
            return saved

    def read_code(self) -> str:
        """The student's code, empty if there is none."""
        with self.database.transaction() as session:
            row = self._find(session)
            return row.code if row is not None else ""

    def write_code(self, code: str) -> None:
        """Keep it."""
        with self.database.transaction() as session:
            self._open(session).code = code

    def _find(self, session: Session) -> LessonRow | None:
        return session.get(LessonRow, (self.person, self.task, self.language))

    def _open(self, session: Session) -> LessonRow:
        """The row, a new one if there is none, until the transaction ends nobody else's."""
        lock_name(session, self.name)
        row, now = self._find(session), self.clock()
        if row is None:
            place = {"person": self.person, "task": self.task, "language": self.language}
            row = LessonRow(**place, saved="", code="", began=now, last=now)
            session.add(row)
        row.last = now
        return row

    def _read(self, row: LessonRow | None) -> SavedSession | None:
        return read_session(row.saved, f"the lesson {self.name}") if row is not None and row.saved else None


def list_lessons(database: Database, person: str, language: str) -> frozenset[str]:
    """The ids of the tasks on which this person has begun a lesson in a language."""
    with database.transaction() as session:
        chosen = select(LessonRow.task).filter_by(person=person, language=language)
        return frozenset(session.scalars(chosen))
