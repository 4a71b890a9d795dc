"""One tiny model for all tests of the backends, as a folder and as a GGUF file."""

from pathlib import Path

import pytest
import torch

from finetune.export import export_gguf
from scribe.backend import Constraint
from scribe.backends.hf import HfBackend
from scribe.backends.llama import LlamaBackend
from tests.scribe.backends.tiny import make_model


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Threads that wait for each other cost more than such a small model gains from them."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def gguf(folder: Path) -> Path:
    return export_gguf(folder, folder.with_suffix(".gguf"))


@pytest.fixture(scope="session")
def llama(gguf: Path) -> LlamaBackend:
    return LlamaBackend(gguf, context=8192, threads=1)


@pytest.fixture(scope="session")
def hf(folder: Path) -> HfBackend:
    return HfBackend(folder, device="cpu")


@pytest.fixture
def tools() -> Constraint:
    """Three tools: a ranged integer, a free and an optional argument, none."""
    return Constraint(
        {
            "map_week_to_topic": _schema({"week": {"type": "integer", "minimum": 1, "maximum": 10}}, ["week"]),
            "exercise_search": _schema({"query": {"type": "string"}, "week": {"type": "integer"}}, ["query"]),
            "grade_calculator": _schema({}, []),
        }
    )


def _schema(properties: dict[str, dict[str, object]], required: list[str]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
