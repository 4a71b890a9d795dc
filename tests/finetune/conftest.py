"""One course and one classroom for all tests of the training code."""

from collections.abc import Iterator

import pytest
import torch

from data.bundle import find
from data.catalogue import load_catalogue
from data.course import Course
from finetune.classroom import Classroom
from scribe.grounding import Grounding
from tests.tools.small_course import ScriptedEmbedder
from tools.conversation import make_lexicon
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Such small networks gain nothing from a second thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def dsp() -> Course:
    return find("dsp")


@pytest.fixture(scope="session")
def room(dsp: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The real course, tools and check; texts are compared by their words, which takes no model."""
    vault = VectorStore(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors"))
    return Classroom(
        dsp, lambda student: make_toolbox(dsp, student, vault), Grounding(make_lexicon(dsp, load_catalogue()))
    )
