"""One course's assistant for all tests of the training code."""

from collections.abc import Iterator

import pytest
import torch

from data.bundle import find
from tests.scribe.scripted import ScriptedBackend
from tests.tools.small_course import ScriptedEmbedder
from tools.assembly.assistant import Assistant
from tools.assembly.settings import AssistantSettings
from tools.search.vector_store import VectorStore


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Such small networks gain nothing from a second thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    """The real course, tools and check; texts are compared by their words, which takes no model."""
    settings = AssistantSettings().with_changes("model", backend="api", prompt="full")
    vault = VectorStore(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors"))
    return Assistant(find("dsp"), ScriptedBackend(()), vault, settings)
