"""What became of one question: a record, or the reason why there is none."""

from dataclasses import dataclass

from finetune.questions.row import Row
from scribe.records import Record
from scribe.trajectory import Stop, Trajectory, Usage

NO_INTENT = "no intent"
UNKNOWN_INTENT = "unknown intent"
SLOT_MISSING = "slot missing"
NOTHING_BEFORE = "leans on nothing"
NOT_AS_MEANT = "not as meant"
MISREAD = "tool misread the question"
SERVER = "server"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`reason` is empty where there is a record, else one of a few words that are counted; `detail` says more."""

    id: str
    record: Record | None
    reason: str = ""
    detail: str = ""
    usage: Usage = Usage()


def failed(row: Row, reason: str, detail: str = "", usage: Usage = Usage()) -> Outcome:
    """A question without an answer to learn from."""
    return Outcome(row.id, None, reason, detail, usage)


def answered(row: Row, done: Trajectory, model: dict[str, str]) -> Outcome:
    """A question with its trajectory; what the question is goes into the record beside the model."""
    known = {"intent": row.intent, "category": row.category, "source": row.source, "wording": row.wording}
    week = {"week": str(row.slots.get("week", ""))}
    parts = {"second": row.second.intent, "second_week": str(row.second.slots.get("week", ""))} if row.second else {}
    told = {name: value for name, value in {**known, **parts, **week}.items() if value}
    return Outcome(row.id, Record.of(done, row.id, {**model, **told}), usage=done.usage)


def unanswered(row: Row, done: Trajectory, usage: Usage) -> Outcome:
    """A question whose trajectory ended without an answer; the last complaint says what the trouble was."""
    stop = str(done.stop or Stop.UNRESOLVED)
    return failed(row, stop, done.faults[-1].complaint if done.faults else "", usage)
