"""What people agreed to: which version of the text, in which language, when, and until when."""

import time
from collections.abc import Callable

from sqlalchemy import select, update

from app.store.database import Database
from app.store.schema import ConsentRow


class ConsentStore:
    """The consents of all people."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def give(self, person: str, version: str, language: str) -> None:
        """Keep that this person agreed to this version, read in this language (`en`, `fr`)."""
        with self._database.transaction() as session:
            session.add(
                ConsentRow(person=person, version=version, language=language, given=self._clock(), withdrawn=None)
            )

    def holds(self, person: str, version: str) -> bool:
        """Whether this person has agreed to this very version and not withdrawn it."""
        with self._database.transaction() as session:
            found = session.scalars(select(ConsentRow).filter_by(person=person, version=version, withdrawn=None))
            return found.first() is not None

    def withdraw(self, person: str) -> None:
        """Take back all that this person agreed to."""
        standing = (ConsentRow.person == person, ConsentRow.withdrawn.is_(None))
        with self._database.transaction() as session:
            session.execute(update(ConsentRow).where(*standing).values(withdrawn=self._clock()))
