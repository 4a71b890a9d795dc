"""What the tests of the bench share: two questions of one student, answered once by the embedded model."""

from pathlib import Path

import pytest
from gguf import LlamaFileType

from eval.bench import shape_file
from eval.bench.blocks import Q8_0
from eval.bench.contenders import Conditions
from eval.bench.recorded import Recorded, questions, record
from eval.bench.shapes import Shape

TINY = Shape(2, 64, 128, 4, 2, Q8_0, LlamaFileType.MOSTLY_Q8_0, vocabulary=10240)


@pytest.fixture(scope="session")
def recorded() -> Recorded:
    return record(questions(1, 2), 1)


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "tiny.gguf"
    shape_file.write(TINY, path)
    return path


@pytest.fixture
def replaying(recorded: Recorded, random_model: Path) -> Conditions:
    return Conditions(random_model, recorded, replay=True, threads=1)
