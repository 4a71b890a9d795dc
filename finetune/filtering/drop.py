"""Why a trajectory is dropped."""

from collections.abc import Callable
from dataclasses import dataclass

from scribe.records import Record


@dataclass(frozen=True, slots=True)
class Drop:
    """`reason`: a few words that are counted; `detail`: what exactly is wrong with this one."""

    reason: str
    detail: str = ""


Check = Callable[[Record], Drop | None]
"""Why a record is dropped, or None if this check finds nothing wrong."""

UNANSWERED = "unanswered"
OUTSIDE = "tool outside the training"
UNSUPPORTED = "unsupported claim"
NEEDLESS_FAULT = "needless fault"
NEEDLESS_CALL = "needless call"
TOO_LONG = "too long"
ANSWER_TOO_SHORT = "answer too short"
ANSWER_TOO_LONG = "answer too long"
NOT_JUDGED = "not judged"
UNREADABLE = "verdict unreadable"


def judged_no(criterion: str) -> str:
    """The reason for a record that a judge finds wanting by this criterion."""
    return f"judged NO: {criterion}"
