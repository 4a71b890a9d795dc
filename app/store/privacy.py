"""A person's rights: to have all that is kept of them, and to have it gone; and the end that all data has by itself."""

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, select, update

from app.store.audit import AuditLog
from app.store.database import Database
from app.store.limits import DAY
from app.store.schema import AskedRow, AuditRow, ConsentRow, ConversationRow, LessonRow, RunningRow
from app.store.settings import StorageSettings


class PrivacyDesk:
    """Exports, erases and purges."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._audit = AuditLog(database, clock)

    def export(self, person: str) -> dict[str, Any]:
        """All that is kept of this person, as plain values that JSON can hold."""
        with self._database.transaction() as session:
            conversations = session.scalars(select(ConversationRow).filter_by(person=person))
            kept = [_export_conversation(row) for row in conversations]
            lessons = [
                {"task": row.task, "language": row.language, "began": row.began, "code": row.code, "saved": row.saved}
                for row in session.scalars(select(LessonRow).filter_by(person=person))
            ]
            consents = [
                {"version": row.version, "language": row.language, "given": row.given, "withdrawn": row.withdrawn}
                for row in session.scalars(select(ConsentRow).filter_by(person=person))
            ]
            looks = [
                {"at": row.at, "action": row.action}
                for row in session.scalars(select(AuditRow).filter_by(subject=person))
            ]
        self._audit.note(person, "export", person)
        told = {"person": person, "conversations": kept, "lessons": lessons}
        return {**told, "consents": consents, "audit": looks}

    def delete_conversations(self, person: str) -> int:
        """Delete this person's conversations with their ratings, and lessons; how many conversations there were."""
        with self._database.transaction() as session:
            session.execute(delete(LessonRow).filter_by(person=person))
            gone = session.execute(delete(ConversationRow).filter_by(person=person)).rowcount  # type: ignore[attr-defined]
        self._database.forget_freed()
        self._audit.note(person, "delete conversations", person)
        return int(gone)

    def erase(self, person: str) -> None:
        """Delete all that is kept of this person; of the audit, too, since it names them."""
        with self._database.transaction() as session:
            for table in (ConversationRow, LessonRow, ConsentRow, AskedRow, RunningRow):
                session.execute(delete(table).filter_by(person=person))
            session.execute(delete(AuditRow).where((AuditRow.actor == person) | (AuditRow.subject == person)))
        self._database.forget_freed()

    def purge(self, settings: StorageSettings) -> int:
        """Delete what is older than it may be; how many conversations that were.

        What was written while the clock was ahead counts as of now, or it would be kept for as much longer.
        """
        now, gone = self._clock(), 0
        with self._database.transaction() as session:
            ahead = update(ConversationRow).where(ConversationRow.last > now + DAY)
            session.execute(ahead.values(last=now))
            session.execute(update(AuditRow).where(AuditRow.at > now + DAY).values(at=now))
            if settings.days:
                session.execute(delete(LessonRow).where(LessonRow.last < now - settings.days * DAY))
                old = delete(ConversationRow).where(ConversationRow.last < now - settings.days * DAY)
                gone = int(session.execute(old).rowcount)  # type: ignore[attr-defined]
            if settings.audit_days:
                session.execute(delete(AuditRow).where(AuditRow.at < now - settings.audit_days * DAY))
        self._database.forget_freed()
        return gone


def _export_conversation(row: ConversationRow) -> dict[str, Any]:
    turns = []
    for turn in row.turns:
        told = {"asked": turn.asked, "question": turn.question, "answer": turn.answer, "record": turn.record}
        if turn.rating is not None:
            told |= {"thumb": turn.rating.thumb, "scales": turn.rating.scales, "comment": turn.rating.comment}
        turns.append(told)
    return {"course": row.course, "student": row.student, "report": row.theory, "began": row.began, "turns": turns}
