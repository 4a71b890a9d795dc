"""Processes of their own, and figures."""

import json
import os
from pathlib import Path

import pytest

from eval.bench.figure import Figure, describe_machine
from eval.bench.processes import run_apart
from eval.questions import choose_questions
from scribe.plumbing.errors import BackendError


def test_what_runs_apart_returns_raises_or_dies() -> None:
    assert run_apart(os.getpid) != os.getpid()
    with pytest.raises(BackendError, match="ValueError: invalid literal"):
        run_apart(int, "no")
    with pytest.raises(BackendError, match="UsageError: 301 students are not possible"):
        run_apart(choose_questions, 301, 1)
    with pytest.raises(BackendError, match="died"):
        run_apart(os._exit, 3)


def test_a_figure_is_markdown_and_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "tiny.gguf"
    model.write_bytes(bytes(2_000_000))
    figure = Figure("Rate", describe_machine(model, 1), ("a", "b"), [("1", "2")], [{"a": 1}], ["A note."])
    figure.show(tmp_path / "rate.json")
    printed = capsys.readouterr().out
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nA note." in printed
    assert "tiny.gguf (2 MB" in printed
    assert json.loads((tmp_path / "rate.json").read_text(encoding="utf-8"))["numbers"] == [{"a": 1}]
