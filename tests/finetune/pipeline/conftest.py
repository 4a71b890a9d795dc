"""The tiny model, and one whole run of the tiny pipeline for all tests that look at what it left."""

from pathlib import Path

import pytest

from finetune.pipeline import config, running, tiny
from finetune.pipeline.config import Pipeline
from finetune.pipeline.running import Ran
from finetune.pipeline.steps import Place, steps

SHORT = {"epochs": 1, "checkpoint": 300.0}


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make_model(tmp_path_factory.mktemp("tiny") / "base")


@pytest.fixture(scope="session")
def pipeline(base: Path) -> Pipeline:
    """The tiny one, shorter still."""
    told = tiny.config(base)
    for name in ("stage1", "stage2"):
        told[name] |= SHORT
    return config.made(told)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place.of(tmp_path_factory.mktemp("runs") / "whole")


@pytest.fixture(scope="session")
def ran(pipeline: Pipeline, place: Place) -> tuple[Ran, ...]:
    """All steps, run once."""
    return running.run(steps(pipeline, place), place.folder)
