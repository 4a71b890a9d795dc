"""The tables. A change here needs a file in `migrations/versions`; a test holds the two equal."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, ForeignKeyConstraint, Index, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class StoredRow(DeclarativeBase):
    """What all tables share."""


class ConversationRow(StoredRow):
    """One conversation of one person about one report."""

    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_person", "person", "course"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str]
    course: Mapped[str]
    student: Mapped[str]
    theory: Mapped[str]
    began: Mapped[float]
    last: Mapped[float]
    turns: Mapped[list["TurnRow"]] = relationship(
        back_populates="conversation", cascade="all, delete-orphan", passive_deletes=True, order_by="TurnRow.number"
    )


class TurnRow(StoredRow):
    """One question and what came of it. record: the whole trajectory as JSON (`scribe.records`)."""

    __tablename__ = "turns"
    __table_args__ = (
        Index("ix_turns_conversation", "conversation_id", "number", unique=True),
        Index("ix_turns_course", "course", "asked"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    number: Mapped[int]
    course: Mapped[str]
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str | None] = mapped_column(Text)
    record: Mapped[str] = mapped_column(Text)
    stop: Mapped[str]
    calls: Mapped[int]
    failed_calls: Mapped[int]
    seconds: Mapped[float]
    asked: Mapped[float]
    conversation: Mapped[ConversationRow] = relationship(back_populates="turns")
    rating: Mapped["RatingRow | None"] = relationship(
        back_populates="turn", cascade="all, delete-orphan", passive_deletes=True
    )


class RatingRow(StoredRow):
    """What a student thinks of an answer. thumb: 1, -1 or none; scales: criterion to 1–5."""

    __tablename__ = "ratings"

    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True)
    thumb: Mapped[int | None]
    scales: Mapped[dict[str, Any]] = mapped_column(JSON)
    comment: Mapped[str] = mapped_column(Text)
    at: Mapped[float]
    turn: Mapped[TurnRow] = relationship(back_populates="rating")


class LessonRow(StoredRow):
    """A person's lesson with the coding tutor. saved: the dialogue as JSON (`scribe.tutor.records`), or empty."""

    __tablename__ = "lessons"

    person: Mapped[str] = mapped_column(primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    saved: Mapped[str] = mapped_column(Text)
    code: Mapped[str] = mapped_column(Text)
    began: Mapped[float]
    last: Mapped[float]


class ConsentRow(StoredRow):
    """A text that a person agreed to, in the language in which it was read, until it was withdrawn."""

    __tablename__ = "consents"
    __table_args__ = (Index("ix_consents_person", "person"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str]
    version: Mapped[str]
    language: Mapped[str]
    given: Mapped[float]
    withdrawn: Mapped[float | None]


class AuditRow(StoredRow):
    """Who did what to whose data."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_at", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    actor: Mapped[str]
    action: Mapped[str]
    subject: Mapped[str]


class AskedRow(StoredRow):
    """That a person asked something, for their quota; kept for a day even if the conversation is deleted."""

    __tablename__ = "asked"
    __table_args__ = (Index("ix_asked_person", "person", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str]
    at: Mapped[float]


class RunningRow(StoredRow):
    """The one question that is being answered for a person, until `until` at the latest."""

    __tablename__ = "running"

    person: Mapped[str] = mapped_column(primary_key=True)
    ticket: Mapped[str]
    until: Mapped[float]


class ParticipantRow(StoredRow):
    """A code for a study, and the person who came with it, if any. code: its SHA-256; cell: the way they go."""

    __tablename__ = "study_participants"
    __table_args__ = (
        Index("ix_study_participants_code", "code", unique=True),
        Index("ix_study_participants_study", "study"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str]
    code: Mapped[str]
    cell: Mapped[int | None]
    began: Mapped[float | None]
    last: Mapped[float | None]
    finished: Mapped[float | None]
    withdrawn: Mapped[float | None]
    preferred: Mapped[int | None]
    reason: Mapped[str] = mapped_column(Text)
    rounds: Mapped[list["RoundRow"]] = relationship(
        cascade="all, delete-orphan", passive_deletes=True, order_by="RoundRow.number"
    )


class RoundRow(StoredRow):
    """One conversation of a participant. model, report: their names in the study; ended: no more is asked."""

    __tablename__ = "study_rounds"

    participant_id: Mapped[str] = mapped_column(
        ForeignKey("study_participants.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    model: Mapped[str]
    report: Mapped[str]
    ended: Mapped[float | None]
    rated: Mapped[float | None]
    ratings: Mapped[dict[str, Any]] = mapped_column(JSON)
    questions: Mapped[list["StudyQuestionRow"]] = relationship(
        cascade="all, delete-orphan", passive_deletes=True, order_by="StudyQuestionRow.number"
    )


class StudyQuestionRow(StoredRow):
    """A question of a participant. stop: empty while it waits, "failed" if no model could be asked."""

    __tablename__ = "study_questions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["participant_id", "round"], ["study_rounds.participant_id", "study_rounds.number"], ondelete="CASCADE"
        ),
        Index("ix_study_questions_round", "participant_id", "round", "number", unique=True),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    participant_id: Mapped[str]
    round: Mapped[int]
    number: Mapped[int]
    question: Mapped[str] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)
    record: Mapped[str] = mapped_column(Text)
    stop: Mapped[str]
    asked: Mapped[float]
    seconds: Mapped[float]
