"""Whose lesson a page shows, where it is kept, and what one person may have running at a time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from app.accounts.person import Person
from app.store.database import Database
from app.store.lessons import StoredLesson, list_lessons
from app.store.limits import LimitReached, QuestionLimits
from app.tutoring.keeping import FileShelf, LessonShelf
from scribe.plumbing.errors import UsageError

VISITOR = "visitor"
"""Where a request's state holds, on pages of this machine alone, the folder of whoever is visiting."""


class TutoringHost(Protocol):
    """Who may do what. `request` is Starlette's; only what the server itself put into its state is relied on."""

    def shelf(self, request: Any, task: str, language: str) -> LessonShelf:
        """The place of this person's lesson. language: en or fr."""
        ...

    def list_begun(self, request: Any, language: str) -> frozenset[str]:
        """The tasks of which this person has a lesson."""
        ...

    def name_person(self, request: Any) -> str:
        """What nobody else is called. Raises UsageError if nobody is known."""
        ...

    def talking(self, person: str) -> AbstractContextManager[None]:
        """The time in which the tutor answers. Raises LimitReached."""
        ...

    def testing(self, person: str) -> AbstractContextManager[None]:
        """The time in which tests run. Raises LimitReached."""
        ...


PATIENCE = 4.0
"""Seconds to wait for what the same person has running: a page that was loaded again lets go of it soon."""


@contextmanager
def enter_patiently(make: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """What `make` gives, once nothing of this person is running. Raises LimitReached if that takes too long."""
    end = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(make())
                break
            except LimitReached as error:
                if error.kind != "running" or time.monotonic() > end:
                    raise
                time.sleep(0.1)
        yield


class OnePerPerson:
    """Lets each person have one thing running in this process."""

    def __init__(self) -> None:
        self._running: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, person: str) -> Iterator[None]:
        """Raises LimitReached while this person has one running."""
        with self._lock:
            if person in self._running:
                raise LimitReached("running", 1)
            self._running.add(person)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(person)


class FileHost:
    """Lessons in files of this machine, as `scribe tutor` keeps them at a terminal. folder: below it lie visitors'."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._talking, self._testing = OnePerPerson(), OnePerPerson()

    def shelf(self, request: Any, task: str, language: str) -> FileShelf:
        """The files of the task."""
        return FileShelf(self._find_folder(request) / f"{task}.{language}.json", shared=True)

    def list_begun(self, request: Any, language: str) -> frozenset[str]:
        """By the names of the files."""
        found = (path.name.split(".") for path in self._find_folder(request).glob(f"*.{language}.*"))
        return frozenset(name[0] for name in found if len(name) == 3 and name[2] in ("json", "py"))

    def name_person(self, request: Any) -> str:
        """Their folder."""
        return str(self._find_folder(request))

    def talking(self, person: str) -> AbstractContextManager[None]:
        """One at a time."""
        return self._talking.hold(person)

    def testing(self, person: str) -> AbstractContextManager[None]:
        """One at a time."""
        return self._testing.hold(person)

    def _find_folder(self, request: Any) -> Path:
        visitor = getattr(request.state, VISITOR, None)
        if not isinstance(visitor, str):
            raise UsageError("nobody knows whose page this is")
        return self._folder / visitor


class AccountTutoringHost:
    """Lessons of people who have signed in, in the database. The gate (`app.campus.gate`) says who is asking."""

    def __init__(self, database: Database, limits: QuestionLimits) -> None:
        self._database, self._limits = database, limits
        self._testing = OnePerPerson()

    def shelf(self, request: Any, task: str, language: str) -> StoredLesson:
        """The person's row."""
        return StoredLesson(self._database, self.name_person(request), task, language)

    def list_begun(self, request: Any, language: str) -> frozenset[str]:
        """By the rows."""
        return list_lessons(self._database, self.name_person(request), language)

    def name_person(self, request: Any) -> str:
        """Their pseudonym."""
        person = getattr(request.state, "person", None)
        if not isinstance(person, Person):
            raise UsageError("you are not signed in")
        return person.id

    def talking(self, person: str) -> AbstractContextManager[None]:
        """A turn counts as a question of the chat does."""
        return self._limits.question(person)

    def testing(self, person: str) -> AbstractContextManager[None]:
        """One at a time in this process."""
        return self._testing.hold(person)
