"""A model of random weights that reads prompts as the one that comes with Scribe, and two questions for it."""

from pathlib import Path

import gguf
import pytest

from data.pretrained.conversion import build_tokenizer
from data.pretrained.package import find_base_gguf
from eval.bench.engine.conditions import Conditions
from eval.questions import choose_questions
from finetune.export import export_gguf
from tests.scribe.backends.tiny import make_model
from tools.assembly.settings import AssistantSettings


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    tokenizer = build_tokenizer(gguf.GGUFReader(find_base_gguf()))
    return export_gguf(make_model(folder / "hf", kind="smollm2", tokenizer=tokenizer), folder / "tiny.gguf")


@pytest.fixture
def conditions(random_model: Path) -> Conditions:
    """One student's two questions; a few tokens for each, since what is said does not matter here."""
    settings = AssistantSettings().with_changes("answer", steps=1, faults=0, redraws=0, max_tokens=16, certainty=0.0)
    model = {"path": str(random_model), "prompt": "learned", "threads": 1, "context": 2048, "keep_mb": 64}
    return Conditions(choose_questions(1, 2), settings.with_changes("model", **model))
