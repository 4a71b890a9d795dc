"""Trajectories to token ids in the model's own chat format, and for each id in which turn of the model it stands.

FIRST is the first turn worth learning (reasoning and call, or the answer where no tool is needed), LATER are those
behind it; QUOTED marks the lines that a turn copies, but for the mark of the first, which is learned in every stage.
All else is CONTEXT or a tool's RESULT: read, never learned. A brief stage leaves out system message and results.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from finetune.examples.quoting import add_quotes
from finetune.settings import Stage
from scribe.decoding.chat import ChatTokenizer
from scribe.messages import OPENER, Message
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.files import replace_file
from scribe.quotes import MARK
from scribe.trajectory import Act, Fault, Step, Stop, Trajectory
from scribe.transcript import of_step, opening

Reason = Literal["not answered", "nothing to learn", "too long"]
"""Why a trajectory makes no row."""

CONTEXT, FIRST, LATER, QUOTED, RESULT = 0, 1, 2, 4, 8
"""The parts; QUOTED is added to one of the turns."""
UNLABELLED = -100
"""The label of an id that is not learned; PyTorch's cross entropy skips it."""

LEARNED: dict[Stage, tuple[int, ...]] = {
    "brief": (FIRST, LATER),
    "first": (FIRST, FIRST | QUOTED),
    "later": (LATER, LATER | QUOTED),
    "single": (FIRST, FIRST | QUOTED, LATER, LATER | QUOTED),
}
"""The parts whose ids a stage learns."""

_COLUMNS = pa.schema(
    [("id", pa.string()), ("opening", pa.int32()), ("ids", pa.list_(pa.int32())), ("parts", pa.list_(pa.int8()))]
)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One trajectory as token ids."""

    id: str
    ids: NDArray[np.int32]
    """(T,)"""
    parts: NDArray[np.int8]
    """(T,), the part of each id."""
    prefix: int
    """How many ids belong to the system message, which other rows may share."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a stage trains on."""

    id: str
    ids: NDArray[np.int64]
    """(T,)"""
    labels: NDArray[np.int64]
    """(T,), an id or UNLABELLED; the last one is an id."""
    prefix: int

    @property
    def supervised(self) -> int:
        """How many ids are learned."""
        return int((self.labels != UNLABELLED).sum())


def make_row(id: str, trajectory: Trajectory, tools: str, chat: ChatTokenizer, max_length: int) -> TokenRow | Reason:
    """The row of a trajectory, or why there is none; nothing is ever cut.

    tools: `Toolbox.listing`. max_length: ids that a row may have.
    """
    if trajectory.stop is not Stop.ANSWERED:
        return "not answered"
    trajectory = add_quotes(trajectory)
    ids = chat.start_ids()
    parts = [CONTEXT] * len(ids)
    prefix = 0
    for message in opening(trajectory.task, tools):
        _append(ids, parts, message, CONTEXT, chat)
        prefix = prefix or len(ids)
    part = FIRST
    for step in trajectory.steps:
        good = is_good(step)
        for message in of_step(step):
            _append(ids, parts, message, part if good else CONTEXT, chat)
        part = LATER if good else part
    if not {FIRST, LATER} & set(parts):
        return "nothing to learn"
    if len(ids) > max_length:
        return "too long"
    return TokenRow(id, np.array(ids, np.int32), np.array(parts, np.int8), prefix)


def is_good(step: Step) -> bool:
    """Whether the model should learn to write this step: no fault, and no call that was refused."""
    if isinstance(step, Fault):
        return False
    return not isinstance(step, Act) or all(observation.ok for observation in step.observations)


def make_example(row: TokenRow, stage: Stage) -> Example | None:
    """What this stage learns from a row; None where that is nothing, as in a later stage of a single turn.

    What stands behind the last label teaches nothing and is left out. Raises UsageError for a row that would teach
    nothing or everything, or whose label no id comes before: a sign that file and code do not fit together.
    """
    chosen = np.isin(row.parts, LEARNED[stage])
    # Without a result a brief row is a question that nothing answers.
    if not chosen.any() or (stage == "brief" and RESULT not in row.parts):
        return None
    kept = np.arange(len(row.ids)) <= np.flatnonzero(chosen)[-1]
    if stage == "brief":
        kept &= (np.arange(len(row.ids)) >= row.prefix) & (row.parts != RESULT)
    ids, labelled = row.ids[kept].astype(np.int64), chosen[kept]
    made = Example(row.id, ids, np.where(labelled, ids, UNLABELLED), 0 if stage == "brief" else row.prefix)
    if not 0 < made.supervised < len(ids) or labelled[0] or row.prefix > int(np.flatnonzero(chosen)[0]):
        raise UsageError(
            f"row {row.id} has {made.supervised} labels on {len(ids)} ids behind a prefix of {row.prefix}: it cannot"
            " be trained on; make the examples anew"
        )
    return made


def write_rows(path: Path, rows: Sequence[TokenRow]) -> None:
    """Write the rows to a parquet file with one row group, whole or not at all."""
    columns = {
        "id": [row.id for row in rows],
        "opening": [row.prefix for row in rows],
        "ids": [row.ids for row in rows],
        "parts": [row.parts for row in rows],
    }
    with replace_file(path) as partial:
        pq.write_table(pa.table(columns, schema=_COLUMNS), partial, compression="zstd")


def read_rows(path: Path) -> list[TokenRow]:
    """The rows of a file. Raises RecordError if they cannot be read or an entry does not fit together."""
    try:
        table = pq.read_table(path, schema=_COLUMNS)
    except (OSError, pa.ArrowException) as error:
        raise RecordError(f"{path}: not a file of examples ({error}); make it with scribe train") from error
    columns = [table[name].to_numpy(zero_copy_only=False) for name in ("id", "ids", "parts", "opening")]
    rows = [TokenRow(id, ids, parts, int(prefix)) for id, ids, parts, prefix in zip(*columns, strict=True)]
    for number, row in enumerate(rows, start=1):
        if len(row.ids) != len(row.parts) or not 0 < row.prefix <= len(row.ids) or np.any(row.ids < 0):
            raise RecordError(f"{path}:{number}: row {row.id} has {len(row.ids)} ids and {len(row.parts)} parts")
    return rows


def _append(ids: list[int], parts: list[int], message: Message, part: int, chat: ChatTokenizer) -> None:
    """One message's ids; `part` goes to what the model wrote of it, as in a prompt."""
    quotes = _find_quotes(message.content) if part else ""
    for new, written in chat.labelled_message(message):
        quoted = chat.encode(quotes, False) if written else []
        if quoted:
            new, quotes = chat.encode(message.content.removeprefix(OPENER).removeprefix(quotes), False), ""
        ids += quoted + new
        parts += [part, *[part | QUOTED] * (len(quoted) - 1)] if quoted else []
        parts += [part if written else RESULT if message.role == "tool" else CONTEXT] * len(new)


def _find_quotes(content: str) -> str:
    """The quoted lines at the beginning of a turn, with the space before them and the last line break."""
    found = re.match(rf" ?(?:{MARK}.*\n)+", content.removeprefix(OPENER))
    return found[0] if found else ""
