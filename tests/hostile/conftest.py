"""The course in which everybody has secrets."""

from pathlib import Path

import pytest

from data.course import Course
from tests.hostile.world import load_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return load_world(tmp_path_factory.mktemp("courses"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vectors")
