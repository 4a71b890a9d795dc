"""Opening the database, bringing its tables up to date, and transactions on it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from scribe.plumbing.errors import ScribeError

MIGRATIONS = Path(__file__).with_name("migrations")
PATIENCE = 10.0
"""Seconds that a transaction waits for another's to end."""
LOCK_KEY = 0x5C81BE
"""Of the lock under which one process brings the tables of a PostgreSQL database up to date."""


class StorageError(ScribeError):
    """The database cannot be opened, read or written; the message says which and why, never with a password."""


class Database:
    """One database, shared by all threads. Made by `open_database`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """Its address without a password."""
        return self._engine.url.render_as_string()

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session whose changes are kept all or none. Raises StorageError."""
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                yield session
        except DBAPIError as error:
            raise StorageError(f"the database {self.name} failed: {error.orig}") from error
        except PoolTimeout as error:  # all connections wait for a database that does not go on
            raise StorageError(f"the database {self.name} failed: too many wait for it") from error

    def forget_freed(self) -> None:
        """See that what was deleted stands in no file of SQLite's any more, its write-ahead log included.

        Raises StorageError.
        """
        if self._engine.dialect.name != "sqlite":
            return
        try:
            connection = self._engine.raw_connection()  # in no transaction, which a checkpoint may not be
            try:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                connection.close()
        except (DBAPIError, PoolTimeout, sqlite3.Error) as error:
            raise StorageError(f"the database {self.name} failed: {getattr(error, 'orig', error)}") from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def open_database(address: str) -> Database:
    """The database at this address, its tables made or brought up to date. Raises StorageError."""
    try:
        url = make_url(address if "://" in address else f"sqlite:///{address}")
        sqlite = url.get_backend_name() == "sqlite"
        arguments: dict[str, Any] = {"timeout": PATIENCE} if sqlite and "timeout" not in url.query else {}
        engine = create_engine(url, pool_pre_ping=not sqlite, connect_args=arguments, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StorageError(f"no database can be opened at this address: {error}") from error
    if sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_at_once)
    database = Database(engine)
    try:
        with engine.connect() as connection:
            _migrate(connection)
    except DBAPIError as error:
        raise StorageError(f"the database {database.name} cannot be opened: {error.orig}") from error
    return database


def lock_name(session: Session, name: str) -> None:
    """Keep others who lock this name waiting until the transaction ends; in SQLite all transactions wait anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # or the driver begins transactions by itself, later than we say
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_at_once(connection: Connection) -> None:
    """Take SQLite's write lock at the beginning: a transaction that reads first and writes then would be refused."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _migrate(connection: Connection) -> None:
    """Run the migrations that are missing, one process at a time."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
