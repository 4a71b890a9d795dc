"""Conversations and their turns: begun, gone on with, read back by the person whose they are."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.store.database import Database
from app.store.schema import ConversationRow, RatingRow, TurnRow
from scribe import records
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Exchange

MOMENT = 0.001
"""Seconds by which what is later is later at least."""


class ConversationGone(UsageError):
    """A conversation that was deleted while something was asked in it."""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question and what came of it, as the page shows it again. thumb: what the student said of it, if anything."""

    id: str
    record: Record
    thumb: int | None

    @property
    def exchange(self) -> Exchange | None:
        """What a later question may refer to."""
        return Exchange(self.record.task.question, self.record.answer) if self.record.answer else None


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation with its turns, first to last."""

    id: str
    course: str
    student: str
    theory: str
    began: float
    turns: tuple[StoredTurn, ...]


class ConversationStore:
    """The conversations of all people; each call is about one person's."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def begin(self, person: str, course: str, student: str, theory: str) -> str:
        """The id of a new conversation."""
        wanted = {"person": person, "course": course, "student": student, "theory": theory}
        with self._database.transaction() as session:
            row = ConversationRow(id=uuid.uuid4().hex, began=self._clock(), last=self._clock(), **wanted)
            row.last = self._find_moment(session, row)
            session.add(row)
        return row.id

    def add(self, person: str, conversation: str, record: Record, seconds: float) -> str:
        """Keep a turn; its id. Raises ConversationGone if this person has no such conversation (any more)."""
        observations = [seen for act in record.trajectory.acts for seen in act.observations]
        with self._database.transaction() as session:
            row = session.get(ConversationRow, conversation)
            if row is None or row.person != person:
                raise ConversationGone("this conversation was deleted; begin a new one")
            row.last = self._find_moment(session, row)
            number = session.scalar(select(func.count()).where(TurnRow.conversation_id == row.id)) or 0
            turn = TurnRow(
                id=record.id,
                conversation_id=row.id,
                number=number,
                course=row.course,
                question=record.task.question,
                answer=record.answer,
                record=records.to_json(record),
                stop=str(record.stop or ""),
                calls=len(observations),
                failed_calls=sum(not seen.ok for seen in observations),
                seconds=seconds,
                asked=self._clock() - seconds,
            )
            session.add(turn)
        return turn.id

    def _find_moment(self, session: Session, row: ConversationRow) -> float:
        """Now, or just after the person's last one about the report: the clock may have been put back since."""
        alike = {name: getattr(row, name) for name in ("person", "course", "student", "theory")}
        newest = session.scalar(
            select(func.max(ConversationRow.last)).filter_by(**alike).where(ConversationRow.id != row.id)
        )
        return max(self._clock(), (newest or 0.0) + MOMENT)

    def latest(self, person: str, course: str, student: str, theory: str) -> StoredConversation | None:
        """The conversation last gone on with of this person about this report."""
        wanted = {"person": person, "course": course, "student": student, "theory": theory}
        with self._database.transaction() as session:
            row = session.scalars(
                select(ConversationRow).filter_by(**wanted).order_by(ConversationRow.last.desc()).limit(1)
            ).first()
            return _read(row) if row is not None else None

    def all_of(self, person: str) -> list[StoredConversation]:
        """All conversations of this person, in the order in which they began."""
        with self._database.transaction() as session:
            chosen = select(ConversationRow).filter_by(person=person).order_by(ConversationRow.began)
            return [_read(row) for row in session.scalars(chosen)]

    def delete(self, person: str, conversation: str) -> bool:
        """Delete one conversation with all that hangs on it; False if this person has no such."""
        with self._database.transaction() as session:
            row = session.get(ConversationRow, conversation)
            if row is None or row.person != person:
                return False
            session.delete(row)
        self._database.forget_freed()
        return True

    def rate(
        self,
        person: str,
        turn: str,
        thumb: int | None = None,
        scales: dict[str, int] | None = None,
        comment: str | None = None,
    ) -> None:
        """Keep what a student thinks of an answer; what is None stays as it was. Raises UsageError for another's."""
        with self._database.transaction() as session:
            row = session.get(TurnRow, turn)
            if row is None or row.conversation.person != person:
                raise UsageError("there is no such answer of yours to rate")
            rating = row.rating or RatingRow(thumb=None, scales={}, comment="", at=0.0)
            rating.at = self._clock()
            if thumb is not None:
                rating.thumb = thumb or None
            if scales is not None:
                rating.scales = {**rating.scales, **scales}
            if comment is not None:
                rating.comment = comment
            row.rating = rating


def _read(row: ConversationRow) -> StoredConversation:
    turns = tuple(
        StoredTurn(
            turn.id, records.from_json(turn.record, f"turn {turn.id}"), turn.rating.thumb if turn.rating else None
        )
        for turn in row.turns
    )
    return StoredConversation(row.id, row.course, row.student, row.theory, row.began, turns)
