"""Which settings count: those that a model ignores are no reason to answer a file anew."""

from pathlib import Path

from scribe.backends.copying import SHARE

from app.batch.fingerprints import counting, make
from app.settings import Settings
from data.bundle import WORDS


def test_copying_counts_only_for_a_model_that_copies(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    other, remote = ours().changed("model", path=str(model)), ours().changed("model", backend="api", path=str(model))
    assert counting(ours())["answer.copying"] == SHARE
    assert "answer.copying" not in counting(other)
    (tmp_path / WORDS).touch()
    assert counting(other)["answer.copying"] == SHARE
    assert "answer.copying" not in counting(remote)


def test_a_share_of_nothing_is_as_if_there_was_no_such_setting() -> None:
    assert "answer.copying" not in counting(ours(copying=0.0))
    shares = [make(ours(copying=share), {}, {}).settings for share in (0.0, 0.1, 0.3)]
    assert len(set(shares)) == 3


def ours(**changes: float) -> Settings:
    return Settings().changed("answer", **changes)
