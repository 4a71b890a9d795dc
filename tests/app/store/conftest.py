"""An empty database, in a fresh file and then in PostgreSQL, and a clock that stands until a test moves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.database import Database, open_database
from tests.app.store.cluster import Cluster


class Clock:
    """Seconds since 1970, set by the test."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "scribe.db")
    running: Cluster = request.getfixturevalue("cluster")
    return running.add_database()


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = open_database(address)
    yield opened
    opened.close()
