"""One course, one teacher's classroom and one small tokenizer for all tests of the training code."""

from collections.abc import Iterator

import pytest
import torch
from finetune.trajectories.classroom import Classroom
from tokenizers import Tokenizer

from data.bundle import find
from data.course import Course
from finetune import vocabulary
from tests.tools.small_course import ScriptedEmbedder
from tools.search.vault import Vault

TEXTS = (
    "You are Scribe. You help one student understand a feedback report on how they learn in a course.",
    "[REASONING] The student asks about week 3, so I look up its topic. [END_OF_REASONING]",
    '[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 3}}[END_OF_TOOL_CALL]',
    "[FINAL_ANSWER]In week 3 you watched 12 videos, the class is typically at 20.[END_OF_FINAL_ANSWER]",
    "system user assistant ipython [ERROR_NOTICE]Correct it.[/ERROR_NOTICE]",
)


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Such small networks gain nothing from a second thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return vocabulary.train(TEXTS * 3, 1600, ("serendipity", "report"))


@pytest.fixture(scope="session")
def dsp() -> Course:
    return find("dsp")


@pytest.fixture(scope="session")
def room(dsp: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The real course and tools; texts are compared by their words, which takes no model."""
    vault = Vault(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors"))
    return Classroom(dsp, vault, lambda question, history, wordings, second: "how to improve")
