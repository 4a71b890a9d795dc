"""Where a lesson is kept: the dialogue, and the student's code beside it. Here: in two files."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, lock, write_text
from scribe.tutor.records import SavedSession, load_session, save_session

Change = Callable[[SavedSession | None], SavedSession]
"""From what is kept now, None if nothing is, to what is to be kept."""


class LessonGone(UsageError):
    """A lesson that was begun anew or deleted while something was said in it."""


class LessonBusy(UsageError):
    """A lesson that somebody else is at, as its person at a terminal."""


class LessonShelf(Protocol):
    """The place of one lesson of one person. Its methods raise ScribeError where it cannot be read or written."""

    @property
    def name(self) -> str:
        """What no other lesson of anybody is called here."""
        ...

    def load(self) -> SavedSession | None:
        """The session; None if there is none."""
        ...

    def change(self, change: Change) -> SavedSession:
        """Keep what `change` makes of the session as it stands, while nobody else changes it."""
        ...

    def read_code(self) -> str:
        """The student's code; empty if they have written none."""
        ...

    def write_code(self, code: str) -> None:
        """Keep the student's code."""
        ...


@dataclass(slots=True)
class FileShelf:
    """A session's file and, beside it, the file in which the student writes.

    shared: whether others may be at it meanwhile: then each change is made under the file's lock, as a terminal holds
    it for the whole of its session.
    """

    path: Path
    shared: bool = False
    code: Path = field(init=False)

    def __post_init__(self) -> None:
        self.code = self.path.with_suffix(".py")

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    def load(self) -> SavedSession | None:
        """Raises RecordError for a file that is not readable."""
        return load_session(self.path) if self.path.exists() else None

    def change(self, change: Change) -> SavedSession:
        """Raises LessonBusy if a terminal is at this lesson."""
        with self._hold():
            saved = change(self.load())
            save_session(self.path, saved)
            return saved

    def read_code(self) -> str:
        """Raises UsageError for a file that is not readable as text."""
        try:
            return self.code.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the file with your code, {self.code}, cannot be read: {error}") from error

    def write_code(self, code: str) -> None:
        """Write the file, for its owner only. Raises OSError."""
        write_text(self.code, code, PRIVATE)

    @contextlib.contextmanager
    def _hold(self) -> Iterator[None]:
        if not self.shared:
            yield
            return
        with _CHANGING, contextlib.ExitStack() as held:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                held.enter_context(lock(self.path, f"another session is using {self.path}"))
            except UsageError as error:
                raise LessonBusy(str(error)) from error
            yield


_CHANGING = threading.Lock()
"""Of this process's changes, which are short; the file's own lock refuses at once."""
