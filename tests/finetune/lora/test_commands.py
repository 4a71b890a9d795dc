"""The commands of the single steps, where they are told of what is not there."""

import sys
from pathlib import Path
from typing import Any

import pytest

from finetune.lora import examples as examples_step
from finetune.lora import show, stages


@pytest.mark.parametrize("command", [stages, examples_step, show])
def test_a_command_says_in_a_line_what_it_cannot_read(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {stages: ["--out", str(tmp_path / "o"), "--learn", "first"], examples_step: ["--out", str(tmp_path / "o")]}
    missing = str(tmp_path / "none")
    monkeypatch.setattr(sys, "argv", ["it", missing, "--base", missing, *given.get(command, [])])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2 and missing in capsys.readouterr().err.splitlines()[-1]
