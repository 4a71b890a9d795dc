"""The tiny model, and one whole run of the tiny pipeline for all tests that look at what it left."""

from pathlib import Path

import pytest

from finetune.pipeline import config
from finetune.pipeline.config import Pipeline
from finetune.pipeline.run import StepRun, run_steps
from finetune.pipeline.steps import RunFolder, list_steps
from tests.finetune import tiny

SHORT = {"epochs": 1, "checkpoint_seconds": 300.0}


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make_model(tmp_path_factory.mktemp("tiny") / "base")


@pytest.fixture(scope="session")
def pipeline(base: Path) -> Pipeline:
    """The tiny one, shorter still."""
    told = tiny.make_config(base)
    for name in ("stage1", "stage2"):
        told[name] |= SHORT
    return config.parse_pipeline(told)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return RunFolder(tmp_path_factory.mktemp("runs") / "whole")


@pytest.fixture(scope="session")
def ran(pipeline: Pipeline, place: RunFolder) -> tuple[StepRun, ...]:
    """All steps, run once."""
    return run_steps(list_steps(pipeline, place), place.folder)
