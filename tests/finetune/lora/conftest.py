"""A tiny Llama, and rows of several students' trajectories for it."""

from pathlib import Path

import pytest

from finetune.examples.rows import TokenRow, write_rows
from tests.finetune.conversation import make_rows
from tests.scribe.backends.tiny import make_model


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("lora") / "base")


@pytest.fixture(scope="session")
def rows(base: Path) -> list[TokenRow]:
    return make_rows(base)


@pytest.fixture(scope="session")
def examples(rows: list[TokenRow], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "examples.parquet"
    write_rows(path, rows)
    return path
