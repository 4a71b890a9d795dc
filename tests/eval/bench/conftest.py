"""What the tests of the bench share: two questions of one student, answered by a script, and a model of random weights.

The random model has the tokenizer of the one that comes with Scribe, so that prompts have the same ids.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from gguf import LlamaFileType

from eval.asking import Asking, Written
from eval.bench import shape_file
from eval.bench.blocks import Q8_0
from eval.bench.contenders import Conditions
from eval.bench.listening import Listening, Turn
from eval.bench.recorded import Answered, Recorded, questions
from eval.bench.shapes import Shape
from scribe.backend import ScriptedBackend
from scribe.decoding.chat import ChatTokenizer
from scribe.gguf.file import GgufFile
from tests.scribe.scene import answer, call

TINY = Shape(2, 64, 128, 4, 2, Q8_0, LlamaFileType.MOSTLY_Q8_0, vocabulary=49_408)
ADVICE = "Have another look at your report, and begin with what it names first."
LOOKED = (call("map_week_to_topic", week=4), answer(ADVICE))
COMPARED = (call("sort_student_features_with_importance", week=4), answer(ADVICE))
SEARCHED = (call("textbook_search", query="convolution"), answer(ADVICE))


def record(asked: Sequence[Written], turns: Sequence[Sequence[str]], chat: ChatTokenizer) -> Recorded:
    """Each question answered by its turns, as if a model had written them."""
    asking, answered = Asking(ScriptedBackend(())), []
    for written, said in zip(asked, turns, strict=True):
        asking.backend = listening = Listening(ScriptedBackend(said))
        done = asking.answer(written)
        wrote = [
            Turn(prompt, tuple(chat.prompt_ids(prompt)), text.text, tuple(chat.encode(text.text, False)), text.finish)
            for prompt, text in listening.heard
        ]
        answered.append(Answered(written, tuple(wrote), done))
    return Recorded(tuple(answered))


@pytest.fixture(scope="session")
def chat(random_model: Path) -> ChatTokenizer:
    return GgufFile(random_model).chat()


@pytest.fixture(scope="session")
def recorded(chat: ChatTokenizer) -> Recorded:
    return record(questions(1, 2), (LOOKED, COMPARED), chat)


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "tiny.gguf"
    shape_file.write(TINY, path)
    return path


@pytest.fixture
def replaying(recorded: Recorded, random_model: Path) -> Conditions:
    return Conditions(random_model, recorded, replay=True, threads=1)
