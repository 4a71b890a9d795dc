"""A database in a fresh file, and a clock that stands until a test moves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.database import Database, open_database


class Clock:
    """Seconds since 1970, set by the test."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(str(tmp_path / "scribe.db"))
    yield opened
    opened.close()
