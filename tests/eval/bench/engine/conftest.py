"""A model of random weights that reads prompts as the one that comes with Scribe, and two questions for it."""

from collections.abc import Iterator
from pathlib import Path

import gguf
import pytest

from data.pretrained.package import find_base_gguf
from data.pretrained.tokenizer import build_tokenizer
from eval.bench.engine.conditions import Conditions
from eval.questions import choose_questions
from finetune.export import export_gguf
from scribe.agent import Limits
from scribe.backend import Sampling
from tests.scribe.backends.tiny import make_model


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    tokenizer = build_tokenizer(gguf.GGUFReader(find_base_gguf()))
    return export_gguf(make_model(folder / "hf", kind="smollm2", tokenizer=tokenizer), folder / "tiny.gguf")


@pytest.fixture
def conditions(random_model: Path) -> Iterator[Conditions]:
    """One student's two questions; a few tokens for each, since what is said does not matter here."""
    short = Limits(steps=1, faults=0, redraws=0), Sampling(max_tokens=16)
    yield Conditions(random_model, choose_questions(1, 2), 1, True, 2048, 64, *short)
