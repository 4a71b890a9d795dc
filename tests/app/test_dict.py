"""`scribe dict`: what it refuses, and a small measurement from its arguments to the table."""

import json
import shutil
from pathlib import Path

import pytest

from app.cli import main
from app.commands.tutoring.opening import list_tutors, split_tutor
from tests.app.told import scripted

Out = pytest.CaptureFixture[str]


def test_a_task_or_tutor_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path, capsys: Out) -> None:
    assert main(["dict", "--tutor", "idle", "--tasks", "no-such", "--out", str(tmp_path)]) == 2
    assert "loan-desk" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["dict", "--tutor", "nobody", "--out", str(tmp_path)])
    assert "explainer" in capsys.readouterr().err


def test_a_verifier_that_is_not_there_is_told(tmp_path: Path, capsys: Out) -> None:
    for tutor in ("traver", "varied-verifier"):
        named = ["--verifier", str(tmp_path / "gone"), "--verifier-base", str(tmp_path)]
        assert main(["dict", "--tutor", tutor, "--out", str(tmp_path), *named], scripted()) == 2
        assert "there is no verifier at" in capsys.readouterr().err


def test_several_numbers_of_candidates_are_several_tutors_that_draw_some() -> None:
    assert [*list_tutors(("idle", "traver", "idle"), (1, 5))] == ["idle", "traver@1", "traver@5"]
    assert [*list_tutors(("idle", "traver"), (5,))] == ["idle", "traver"]
    assert split_tutor("traver@5", (1, 5)) == ("traver", 5)
    assert split_tutor("traver", (7,)) == ("traver", 7)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")
@pytest.mark.timeout(600)
def test_a_small_measurement_ends_in_a_table_and_goes_on_with_another_tutor(tmp_path: Path, capsys: Out) -> None:
    small = ["--tasks", "word-ranking", "--attempts", "2", "--rounds", "1", "--out", str(tmp_path)]
    assert main(["dict", "--tutor", "oracle", *small]) == 0
    assert "3 of 3 sessions" in capsys.readouterr().out
    assert main(["dict", "--tutor", "oracle", "idle", *small]) == 0
    told = capsys.readouterr().out
    assert "6 of 6 sessions" in told
    assert "| Pre-Test | 1 |" in told
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    oracle, idle = (each["outcomes"]["pass"]["overall"]["after"]["value"] for each in summary["tutors"])
    assert oracle > 50 > idle
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "6 of 6 sessions" in page
    drawing = ["--tutor", "varied-oracle", "varied-random", "--candidates", "1", "2"]
    assert main(["dict", *drawing, *small]) == 0
    capsys.readouterr()
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Pass against candidates" in page
    assert "idle (3), oracle (3)" in page
    assert main(["dict", "--tutor", "idle", *small, "--attempts", "3"]) == 2
    assert "other attempts" in capsys.readouterr().err
