import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from app.store.consent import ConsentStore
from app.store.database import Database, StorageError, open_database
from app.store.schema import StoredRow


def test_migrations_make_the_tables_that_the_schema_names(database: Database) -> None:
    with create_engine(database.name).connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), StoredRow.metadata)
    assert differences == []


def test_an_opened_database_is_opened_again_with_what_it_held(tmp_path: Path) -> None:
    first = open_database(str(tmp_path / "a.db"))
    ConsentStore(first).give("ada", "1", "en")
    first.close()
    again = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    assert ConsentStore(again).holds("ada", "1")
    again.close()


def test_processes_that_open_a_new_database_at_once_all_succeed(address: str) -> None:
    opens = "import sys; from app.store.database import open_database; open_database(sys.argv[1]).close()"
    started = [subprocess.Popen([sys.executable, "-c", opens, address]) for _ in range(3)]
    assert [each.wait(timeout=120) for each in started] == [0, 0, 0]


def test_threads_that_write_at_once_lose_nothing(database: Database) -> None:
    store = ConsentStore(database)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: store.give(f"p{number}", "1", "fr"), range(40)))
    assert all(store.holds(f"p{number}", "1") for number in range(40))


@pytest.mark.parametrize("address", ["nosuch://x", "sqlite:////no/such/folder/a.db", "://"])
def test_an_address_that_cannot_be_opened_is_an_error_that_says_so(address: str) -> None:
    with pytest.raises(StorageError, match="database"):
        open_database(address)


def test_a_file_that_is_no_database_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("not a database, and long enough to be looked at" * 30)
    with pytest.raises(StorageError, match=r"a\.db"):
        open_database(str(tmp_path / "a.db"))


def test_a_password_is_in_no_error() -> None:
    with pytest.raises(StorageError) as raised:
        open_database("nosuch://scribe:hunter2@db/scribe")
    assert "hunter2" not in str(raised.value)


def test_a_locked_database_is_an_error_and_not_a_hang(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}?timeout=0.1")
    holder = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError, match="locked"):
        ConsentStore(database).give("ada", "1", "en")
    holder.close()
    database.close()
