"""A tutoring session to and from JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from scribe.plumbing.errors import RecordError
from scribe.plumbing.files import PRIVATE, write_text
from scribe.tutor.session import StudentTurn, TaskBrief, TutoringSession, TutorTurn

VERSION = 1


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """One turn; one of the two is None."""

    tutor: TutorTurn | None = None
    student: StudentTurn | None = None


@dataclass(frozen=True, slots=True)
class SavedSession:
    """A session as it is kept, who tutored in it, the model, the seed, and the student's code that nobody saw yet."""

    brief: TaskBrief
    turns: tuple[SavedTurn, ...]
    tutor: str
    model: Mapping[str, str]
    seed: int = 0
    code: str = ""
    results: str = ""
    version: int = VERSION

    @property
    def session(self) -> TutoringSession:
        """The session as it was."""
        return TutoringSession(self.brief, tuple(turn for each in self.turns if (turn := each.tutor or each.student)))


_ADAPTER = TypeAdapter(SavedSession)


def save_session(path: Path, saved: SavedSession) -> None:
    """Write the file whole or not at all, for its owner only. Raises OSError."""
    write_text(path, write_session(saved), PRIVATE)


def write_session(saved: SavedSession) -> str:
    """The session as JSON, as it stands in a file."""
    return json.dumps(asdict(saved), ensure_ascii=False, indent=1) + "\n"


def pack_turns(session: TutoringSession) -> tuple[SavedTurn, ...]:
    """The turns as they are kept."""
    return tuple(
        SavedTurn(turn, None) if isinstance(turn, TutorTurn) else SavedTurn(None, turn) for turn in session.turns
    )


def load_session(path: Path) -> SavedSession:
    """The session in a file. Raises RecordError for one that is not readable or of another version."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: not a readable tutoring session: {error}") from error
    return read_session(text, str(path))


def read_session(text: bytes | str, source: str) -> SavedSession:
    """The session that `write_session` wrote. source: what RecordError calls it."""
    try:
        data: Any = json.loads(text)
        saved = _ADAPTER.validate_python(data)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{source}: not a readable tutoring session: {str(error).splitlines()[0]}") from error
    if saved.version != VERSION:
        raise RecordError(f"{source}: version {saved.version}; this Scribe reads version {VERSION}")
    return saved
