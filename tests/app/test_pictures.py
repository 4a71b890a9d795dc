"""`scribe picture`, with a course of three weeks."""

import json
from pathlib import Path

import pytest

from app.cli import main
from tests.app.told import mini_courses

Out = pytest.CaptureFixture[str]
QUALITY = {
    "balanced_accuracy": 0.8,
    "auc": 0.9,
    "brier": 0.1,
    "calibration_error": 0.04,
    "reliability": [{"predicted": 0.2, "passed": 0.25, "count": 20}, {"predicted": 0.9, "passed": 0.8, "count": 20}],
}


@pytest.fixture(autouse=True)
def _mini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(mini_courses(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def picture(kind: str, *arguments: str) -> int:
    return main(["picture", kind, "--course", "mini", *arguments])


def test_a_student_gets_the_map_as_a_file_and_in_words(capsys: Out) -> None:
    assert picture("importance", "--student", "s001", "--out", "map.svg") == 0
    assert Path("map.svg").read_bytes().startswith(b"<?xml")
    said = capsys.readouterr().out
    assert said.startswith("What would help me pass, what weighs most first: number of study sessions in week 2")
    assert picture("importance", "--student", "s001", "--all", "--out", "all.svg") == 0
    assert Path("all.svg").stat().st_size > Path("map.svg").stat().st_size


def test_a_student_without_explanation_is_told_so(capsys: Out) -> None:
    assert picture("importance", "--student", "s002", "--out", "map.png") == 0
    assert "there is no map to draw" in capsys.readouterr().out
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")


def test_the_topic_map_marks_a_week_or_a_topic_not_both(capsys: Out) -> None:
    assert picture("topics", "--week", "3", "--out", "topics.pdf") == 0
    assert "Week 3 builds on Vectors (week 2)." in capsys.readouterr().out
    assert picture("topics", "--topic", "vectors", "--out", "topics.pdf") == 0
    assert "Topic Vectors (week 2) builds on Sequences (week 1)." in capsys.readouterr().out
    with pytest.raises(SystemExit):
        picture("topics", "--topic", "Vectors", "--week", "2", "--out", "topics.pdf")


def test_the_reliability_curve_is_drawn_from_what_the_bundle_says(tmp_path: Path, capsys: Out) -> None:
    assert picture("reliability", "--out", "curve.png") == 2
    assert "quality.json: the file is missing" in capsys.readouterr().err
    content = {"students": 40, "passed": 0.5, "models": {"BiLSTM": QUALITY}}
    (tmp_path / "courses" / "mini" / "quality.json").write_text(json.dumps(content))
    assert picture("reliability", "--out", "curve.png") == 0
    assert "where it said 90%, 80% did" in capsys.readouterr().out
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("importance", "--student", "s001", "--out", "map.gif"), "'.gif'; use .png, .svg or .pdf"),
        (("importance", "--student", "s01", "--out", "map.png"), "no student 's01'; close ids are s001"),
        (("topics", "--week", "4", "--out", "map.png"), "weeks 1 to 3, not week 4"),
        (("topics", "--topic", "Vector", "--out", "map.png"), "close topics are Vectors"),
        (("topics", "--out", "nowhere/map.png"), "nowhere/map.png cannot be written"),
    ],
)
def test_what_is_not_possible_is_said_and_nothing_is_written(
    arguments: tuple[str, ...], complaint: str, capsys: Out, tmp_path: Path
) -> None:
    assert picture(*arguments) == 2
    assert complaint in capsys.readouterr().err
    assert not list(tmp_path.glob("map.*"))
