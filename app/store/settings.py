"""What can be set of the store; each class is a table of the settings file, each field a key."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where conversations are kept, and for how long.

    address: SQLAlchemy's, e.g. `postgresql+psycopg://scribe@db/scribe`; a plain path is a SQLite file.
    days: after which a conversation that was not gone on with is purged; 0: never. audit_days: the same of the audit.
    """

    address: str = "scribe.db"
    days: Annotated[int, Ge(0)] = 180
    audit_days: Annotated[int, Ge(0)] = 365


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """What each person may ask. 0: without limit."""

    per_minute: Annotated[int, Ge(0)] = 6
    per_day: Annotated[int, Ge(0)] = 100
