"""What a study keeps, and the only ways in which it changes: each checks in one transaction that it is its turn."""

import hashlib
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.store.database import Database
from app.store.schema import ConsentRow, ParticipantRow, RoundRow, StudyQuestionRow
from app.study.plan import SIZE, choose_cell, make_cells
from app.study.progress import FAILED, Participant, StudyStep, read_participant
from app.study.settings import Study, name_report
from scribe import records
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Exchange

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTVWXYZ"
"""Letters of a code: none that looks like another."""
CODE_LETTERS, CODE_PART = 12, 4
LONGEST_REASON = 5000
HOUR = 3600.0


class StaleStep(UsageError):
    """What was sent is for another step than the one at which the participant stands, such as a second click."""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question that waits for its answer. model, report: their names in the study."""

    id: str
    participant: str
    model: str
    report: str
    question: str
    history: tuple[Exchange, ...]


class StudyStore:
    """One study in a database. Times are seconds since 1970."""

    def __init__(self, database: Database, study: Study, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._study = study
        self._clock = clock
        self._cells = make_cells(study.seed)

    def make_codes(self, count: int) -> list[str]:
        """Make so many codes. Only their hashes are kept, so they are told this once."""
        codes = ["".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS)) for _ in range(count)]
        with self._database.transaction() as session:
            for code in codes:
                row = ParticipantRow(id=f"s-{uuid.uuid4().hex[:12]}", study=self._study.id, code=_hash(code), reason="")
                session.add(row)
        return ["-".join(code[at : at + CODE_PART] for at in range(0, CODE_LETTERS, CODE_PART)) for code in codes]

    def find(self, code: str) -> Participant | None:
        """Whose code this is; blanks, dashes and small letters do not matter."""
        with self._database.transaction() as session:
            wanted = select(ParticipantRow).filter_by(study=self._study.id, code=_hash(code))
            row = session.scalars(wanted).first()
            return read_participant(row, self._agreed(session, row.id)) if row is not None else None

    def agree(self, participant: str, step: str, language: str) -> None:
        """Keep that a participant agreed, and give them their way through the study if they have none yet."""
        now = self._clock()
        with self._turn(participant, step, "consent", everyone=True) as (session, row, _):
            version = self._study.consent_version
            session.add(ConsentRow(person=row.id, version=version, language=language, given=now, withdrawn=None))
            if row.cell is None:
                row.cell = choose_cell(self._list_taken(session, now), len(self._cells))
                row.began = now
                row.rounds = [self._make_round(row.cell, number) for number in range(SIZE)]

    def ask(self, participant: str, step: str, question: str) -> str:
        """Keep a question; its id. Raises UsageError after the last that may be asked."""
        with self._turn(participant, step, "ask") as (session, row, at):
            asked = read_participant(row, True).rounds[at.round].asked
            if asked >= self._study.questions.most:
                raise UsageError("no more questions about this report")
            made = StudyQuestionRow(
                id=uuid.uuid4().hex,
                participant_id=row.id,
                round=at.round,
                number=at.question,
                question=question,
                shown="",
                record="",
                stop="",
                asked=self._clock(),
                seconds=0.0,
            )
            session.add(made)
        return made.id

    def end_round(self, participant: str, step: str) -> None:
        """Let a conversation be over. Raises UsageError before enough was asked."""
        with self._turn(participant, step, "ask") as (_, row, at):
            if read_participant(row, True).rounds[at.round].asked < self._study.questions.least:
                raise UsageError(f"at least {self._study.questions.least} questions are asked about each report")
            row.rounds[at.round].ended = self._clock()

    def rate(self, participant: str, step: str, ratings: Mapping[str, int]) -> None:
        """Keep the ratings of a conversation. Raises UsageError unless each criterion has 1 to 5 and nothing else."""
        wanted = {each.id for each in self._study.criteria}
        if set(ratings) != wanted or not all(1 <= value <= 5 for value in ratings.values()):
            raise UsageError("each criterion is rated from 1 to 5")
        with self._turn(participant, step, "rate") as (_, row, at):
            row.rounds[at.round].ratings = dict(ratings)
            row.rounds[at.round].rated = self._clock()

    def choose(self, participant: str, step: str, preferred: int, reason: str) -> None:
        """Keep which conversation was preferred and why, which ends the study. Raises UsageError for no reason."""
        if not any(each.isalnum() for each in reason) or len(reason) > LONGEST_REASON or not 0 <= preferred < SIZE:
            raise UsageError("a conversation is chosen, and a reason given")
        with self._turn(participant, step, "choose") as (_, row, _at):
            row.preferred, row.reason, row.finished = preferred, _clean(reason), self._clock()

    def withdraw(self, participant: str) -> None:
        """Delete all that a participant gave. Their code stays used."""
        with self._database.transaction() as session:
            row = self._lock(session, participant)
            session.execute(delete(ConsentRow).filter_by(person=row.id))
            row.rounds = []
            row.cell = row.began = row.last = row.finished = row.preferred = None
            row.reason = ""
            row.withdrawn = row.withdrawn or self._clock()
        self._database.forget_freed()

    def pending(self, question: str) -> PendingQuestion | None:
        """A question that still waits, with what is needed to answer it."""
        with self._database.transaction() as session:
            row = session.get(StudyQuestionRow, question)
            if row is None or row.stop:
                return None
            found = session.get_one(ParticipantRow, row.participant_id)
            told = read_participant(found, True).rounds[row.round]
            return PendingQuestion(row.id, found.id, told.model, told.report, row.question, told.history)

    def keep_answer(self, question: str, record: Record, shown: str, seconds: float) -> None:
        """Keep what came of a question, unless it was withdrawn or answered meanwhile."""
        self._close(question, records.to_json(record), str(record.stop or FAILED), shown, seconds)

    def keep_failure(self, question: str) -> None:
        """Keep that a question could not be answered; the participant may ask again."""
        self._close(question, "", FAILED, "", 0.0)

    def count(self) -> dict[str, int]:
        """How many codes there are, and how many began, finished and withdrew."""
        marks = (
            ParticipantRow.id,
            ParticipantRow.began,
            ParticipantRow.finished,
            ParticipantRow.withdrawn,
        )
        chosen = select(*map(func.count, marks)).where(ParticipantRow.study == self._study.id)
        with self._database.transaction() as session:
            counts = session.execute(chosen).one()
        return dict(zip(("codes", "began", "finished", "withdrawn"), counts, strict=True))

    @contextmanager
    def _turn(
        self, participant: str, step: str, kind: str, everyone: bool = False
    ) -> Iterator[tuple[Session, ParticipantRow, StudyStep]]:
        """A transaction at this step, which is of this kind. Raises StaleStep at any other.

        everyone: whether nobody of the study may change meanwhile, which is needed to give a place.
        """
        with self._database.transaction() as session:
            if everyone:  # all in one order, and before one's own: two that do so must not wait for each other
                ours = select(ParticipantRow.id).filter_by(study=self._study.id).order_by(ParticipantRow.id)
                session.execute(ours.with_for_update()).all()
            row = self._lock(session, participant)
            at = read_participant(row, self._agreed(session, row.id)).step
            if str(at) != step or at.kind != kind:
                raise StaleStep(f"this was for {step}, and {at} is next")
            yield session, row, at
            row.last = self._clock()

    def _lock(self, session: Session, participant: str) -> ParticipantRow:
        """The row, which no other transaction changes before the end of this one."""
        row = session.get(ParticipantRow, participant, with_for_update=True)
        if row is None or row.study != self._study.id:
            raise UsageError("there is no such participant in this study")
        return row

    def _agreed(self, session: Session, participant: str) -> bool:
        wanted = {"person": participant, "version": self._study.consent_version, "withdrawn": None}
        return session.scalars(select(ConsentRow).filter_by(**wanted)).first() is not None

    def _list_taken(self, session: Session, now: float) -> list[int]:
        """The cells of those who finished or are under way."""
        since = now - self._study.idle_hours * HOUR
        active = ParticipantRow.finished.is_not(None) | (ParticipantRow.last > since)
        cells = session.scalars(select(ParticipantRow.cell).filter_by(study=self._study.id).where(active))
        return [cell for cell in cells if cell is not None]

    def _make_round(self, cell: int, number: int) -> RoundRow:
        way = self._cells[cell]
        model, report = self._study.models[way.models[number]], self._study.reports[way.reports[number]]
        return RoundRow(number=number, model=model.id, report=name_report(report), ratings={}, questions=[])

    def _close(self, question: str, record: str, stop: str, shown: str, seconds: float) -> None:
        with self._database.transaction() as session:
            row = session.get(StudyQuestionRow, question, with_for_update=True)
            if row is not None and not row.stop:
                row.record, row.stop, row.shown, row.seconds = record, stop, shown, seconds


def _hash(code: str) -> str:
    """A code's hash. Codes are random and long enough that nobody finds one from it."""
    letters = "".join(each for each in code.upper()[:100] if each.isalnum())
    return hashlib.sha256(letters.encode()).hexdigest()


def _clean(text: str) -> str:
    """The text without control characters, which not every database keeps."""
    return "".join(each for each in text.replace("\r\n", "\n") if each in "\n\t" or each.isprintable()).strip()
