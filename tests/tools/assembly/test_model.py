"""Whether rules and tools stand in the prompt, or the model has learnt them by heart."""

from pathlib import Path

import pytest

from data.pretrained import shipped
from scribe.plumbing.errors import UsageError
from tools.assembly.model import knows_tools
from tools.assembly.settings import AssistantSettings

OURS = AssistantSettings()


def test_ours_knows_them_and_another_model_is_told() -> None:
    assert knows_tools(OURS)
    assert not knows_tools(OURS.with_changes("model", path="other.gguf"))
    assert not knows_tools(OURS.with_changes("model", backend="api", path="other"))


def test_without_an_adapter_the_bare_base_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "ADAPTER", tmp_path / "none")
    assert not knows_tools(OURS)


def test_the_settings_may_say_so() -> None:
    assert knows_tools(OURS.with_changes("model", path="other.gguf", prompt="learned"))
    assert not knows_tools(OURS.with_changes("model", prompt="full"))


def test_what_it_has_not_learnt_is_refused_and_not_left_out_silently() -> None:
    searching = OURS.with_changes("tools", searxng="http://127.0.0.1:9")
    with pytest.raises(UsageError, match="has not learnt to search the web"):
        knows_tools(searching)
    assert not knows_tools(searching.with_changes("model", prompt="full"))
