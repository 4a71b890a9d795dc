"""Real conversations to compare models on: from trajectories, as the chat would send them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from data.bundle import COURSES, find
from scribe import records
from scribe.decoding.chat import Encode
from scribe.errors import UsageError
from scribe.messages import Message
from scribe.records import Record
from scribe.transcript import to_messages
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


@dataclass(frozen=True, slots=True)
class Chosen:
    """Whole conversations; `too_long` others would not fit and were left out."""

    conversations: tuple[tuple[Message, ...], ...]
    too_long: int


def choose(path: Path, count: int, longest: int, encode: Encode, courses: Path = COURSES) -> Chosen:
    """`count` trajectories spread evenly over a file, of at most `longest` tokens each.

    courses: the folder of the bundles that they are about.
    Raises RecordError naming file and line, UsageError if none is left.
    """
    found = list(records.read(path))
    wanted = found[:: max(1, len(found) // max(1, count))][:count]
    listings = _listings(wanted, courses)
    told = [to_messages(record.trajectory, listings[record.task.course]) for record in wanted]
    fitting = tuple(messages for messages in told if _length(messages, encode) <= longest)
    if not fitting:
        raise UsageError(f"{path}: {len(found)} trajectories, none of which has up to {longest} tokens")
    return Chosen(fitting, len(told) - len(fitting))


def _listings(wanted: Sequence[Record], folder: Path) -> dict[str, str]:
    """How the tools are listed in each course's prompts."""
    vault = VectorStore(MiniLM())
    courses = [find(name, folder) for name in dict.fromkeys(record.task.course for record in wanted)]
    return {course.id: make_toolbox(course, next(iter(course.students)), vault).listing for course in courses}


def _length(messages: Sequence[Message], encode: Encode) -> int:
    return sum(len(encode(message.content, False)) + 8 for message in messages)
