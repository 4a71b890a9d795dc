"""Trajectories to token ids in the model's own chat format, and for each id in which turn of the model it stands.

The parts say what a stage teaches: FIRST is the first turn worth learning (reasoning and call, or the answer where
no tool is needed), LATER are the turns behind it; QUOTED marks the lines that a turn copies (`finetune.lora.quoting`),
but for the mark of the first: that it quotes at all is learned in every stage.
Questions, reports, notices, earlier answers, the model's faulty turns and refused calls are CONTEXT, what a tool
returned is RESULT: read, never learned.

A brief stage learns from question, calls and quoted lines alone, without the opening and the results, a third of the
ids: which tool fits and how a quoted line is put into words is what a small model learns slowest, and needs no more.
"""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finetune.lora.quoting import quoting
from scribe.decoding.chat import ChatTokenizer
from scribe.errors import UsageError
from scribe.messages import OPENER, Message
from scribe.quotes import MARK
from scribe.trajectory import Act, Fault, Step, Stop, Trajectory
from scribe.transcript import of_step, opening

Stage = Literal["brief", "first", "later", "single"]
"""What is learned: all but the quotes without what is quoted, the first turn, the turns behind it, or all at once."""

Reason = Literal["not answered", "nothing to learn", "too long"]
"""Why a trajectory makes no row."""

CONTEXT, FIRST, LATER, QUOTED, RESULT = 0, 1, 2, 4, 8
"""The parts; QUOTED is added to one of the turns."""
UNLABELLED = -100
"""The label of an id that is not learned; PyTorch's cross entropy skips it."""

_TAUGHT: dict[Stage, tuple[int, ...]] = {
    "brief": (FIRST, LATER),
    "first": (FIRST, FIRST | QUOTED),
    "later": (LATER, LATER | QUOTED),
    "single": (FIRST, FIRST | QUOTED, LATER, LATER | QUOTED),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One trajectory: ids (T,), the part of each (T,), and how many ids belong to the system message."""

    id: str
    ids: NDArray[np.int32]
    parts: NDArray[np.int8]
    opening: int


@dataclass(frozen=True, slots=True)
class Example:
    """What a stage trains on: ids (T,) and labels (T,), an id or UNLABELLED; the last id is a label."""

    id: str
    ids: NDArray[np.int64]
    labels: NDArray[np.int64]
    opening: int

    @property
    def taught(self) -> int:
        """How many ids are learned."""
        return int((self.labels != UNLABELLED).sum())


def row(id: str, trajectory: Trajectory, tools: str, chat: ChatTokenizer, longest: int) -> Row | Reason:
    """The row of a trajectory, or why there is none; nothing is ever cut.

    tools: `Toolbox.listing`. longest: ids that a row may have.
    """
    if trajectory.stop is not Stop.ANSWERED:
        return "not answered"
    trajectory = quoting(trajectory)
    before = opening(trajectory.task, tools)
    ids, parts = chat.start_ids(), [CONTEXT]
    parts *= len(ids)
    system = 0
    for message in before:
        _append(ids, parts, message, CONTEXT, chat)
        system = system or len(ids)
    part = FIRST
    for step in trajectory.steps:
        good = is_good(step)
        for message in of_step(step):
            _append(ids, parts, message, part if good else CONTEXT, chat)
        part = LATER if good else part
    if not {FIRST, LATER} & set(parts):
        return "nothing to learn"
    if len(ids) > longest:
        return "too long"
    return Row(id, np.array(ids, np.int32), np.array(parts, np.int8), system)


def is_good(step: Step) -> bool:
    """Whether the model should learn to write this step: no fault, and no call that was refused."""
    if isinstance(step, Fault):
        return False
    return not isinstance(step, Act) or all(observation.ok for observation in step.observations)


def example(row: Row, stage: Stage) -> Example | None:
    """What this stage learns from a row; None where that is nothing, as in a later stage of a single turn.

    What stands behind the last label teaches nothing and is left out. Raises UsageError for a row that would teach
    nothing or everything, or whose label no id comes before: a sign that file and code do not fit together.
    """
    chosen = np.isin(row.parts, _TAUGHT[stage])
    # Without a result a brief row is a question that nothing answers.
    if not chosen.any() or (stage == "brief" and RESULT not in row.parts):
        return None
    kept = np.arange(len(row.ids)) <= np.flatnonzero(chosen)[-1]
    if stage == "brief":
        kept &= (np.arange(len(row.ids)) >= row.opening) & (row.parts != RESULT)
    ids, labelled = row.ids[kept].astype(np.int64), chosen[kept]
    made = Example(row.id, ids, np.where(labelled, ids, UNLABELLED), 0 if stage == "brief" else row.opening)
    if not 0 < made.taught < len(ids) or labelled[0] or row.opening > int(np.flatnonzero(chosen)[0]):
        raise UsageError(
            f"row {row.id} has {made.taught} labels on {len(ids)} ids behind an opening of {row.opening}: it cannot"
            " be trained on; make the examples anew"
        )
    return made


def _append(ids: list[int], parts: list[int], message: Message, part: int, chat: ChatTokenizer) -> None:
    """One message's ids; `part` goes to what the model wrote of it, as in a prompt."""
    quotes = _quotes(message.content) if part else ""
    for new, written in chat.labelled_message(message):
        quoted = chat.encode(quotes, False) if written else []
        if quoted:
            new, quotes = chat.encode(message.content.removeprefix(OPENER).removeprefix(quotes), False), ""
        ids += quoted + new
        parts += [part, *[part | QUOTED] * (len(quoted) - 1)] if quoted else []
        parts += [part if written else RESULT if message.role == "tool" else CONTEXT] * len(new)


def _quotes(content: str) -> str:
    """The quoted lines at the beginning of a turn, with the space before them and the last line break."""
    found = re.match(rf" ?(?:{MARK}.*\n)+", content.removeprefix(OPENER))
    return found[0] if found else ""
