"""How far a participant has come: a value read from the database, from which alone follows what they may do next."""

from dataclasses import dataclass
from typing import Literal

from app.store.schema import ParticipantRow, RoundRow, StudyQuestionRow
from scribe.trajectory import Exchange, Stop

FAILED = "failed"
"""The stop of a question that no model could be asked; it counts as none."""

StepKind = Literal["consent", "ask", "wait", "rate", "choose", "done", "withdrawn"]


@dataclass(frozen=True, slots=True)
class StudyStep:
    """Where a participant stands. A form names the step that it is for, and is of no effect at any other."""

    kind: StepKind
    round: int = 0
    question: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.round}-{self.question}"


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """A question and what was shown of its answer. stop: empty while it waits."""

    id: str
    question: str
    shown: str
    stop: str

    @property
    def counts(self) -> bool:
        """Whether it is one of the questions that a participant has."""
        return self.stop != FAILED


@dataclass(frozen=True, slots=True)
class StudyRound:
    """One conversation about one report."""

    number: int
    model: str
    report: str
    ended: bool
    rated: bool
    questions: tuple[StudyQuestion, ...]

    @property
    def asked(self) -> int:
        """How many questions count."""
        return sum(each.counts for each in self.questions)

    @property
    def waiting(self) -> StudyQuestion | None:
        """The question that waits for its answer."""
        return next((each for each in self.questions if not each.stop), None)

    @property
    def history(self) -> tuple[Exchange, ...]:
        """What a later question may refer to."""
        return tuple(Exchange(each.question, each.shown) for each in self.questions if each.stop == Stop.ANSWERED)


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody with a code. rounds: empty before they agreed for the first time."""

    id: str
    agreed: bool
    finished: bool
    withdrawn: bool
    rounds: tuple[StudyRound, ...]

    @property
    def step(self) -> StudyStep:
        """What is next."""
        if self.withdrawn:
            return StudyStep("withdrawn")
        if not self.agreed or not self.rounds:
            return StudyStep("consent")
        for each in self.rounds:
            if each.rated:
                continue
            if each.ended:
                return StudyStep("rate", each.number)
            return StudyStep("wait" if each.waiting else "ask", each.number, len(each.questions))
        return StudyStep("done" if self.finished else "choose")


def read_participant(row: ParticipantRow, agreed: bool) -> Participant:
    """The value of a row."""
    rounds = tuple(map(_read_round, row.rounds))
    return Participant(row.id, agreed, row.finished is not None, row.withdrawn is not None, rounds)


def _read_round(row: RoundRow) -> StudyRound:
    questions = tuple(map(_read_question, row.questions))
    return StudyRound(row.number, row.model, row.report, row.ended is not None, row.rated is not None, questions)


def _read_question(row: StudyQuestionRow) -> StudyQuestion:
    return StudyQuestion(row.id, row.question, row.shown, row.stop)
