"""Arguments and output that no one gives by mistake: one clear line and exit code 2, never a fault of ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main
from tests.app.told import final, mini_courses, scripted

ASKED = ["ask", "Why?", "--course", "mini", "--student", "s001"]
STUDENTS = [sys.executable, "-m", "app.cli", "students", "--course", "mini"]
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def mini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    courses = mini_courses(tmp_path / "courses")
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(courses))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.chdir(tmp_path)
    return courses / "mini"


def refused(arguments: list[str], capsys: Out) -> str:
    """What is said of it, in one line."""
    assert main(arguments, scripted(final("So."))) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1 and len(told) < 500
    return told


def test_arguments_of_a_tool_that_nest_too_deeply_are_no_object(capsys: Out) -> None:
    tool = ["tool", "map_week_to_topic", "--course", "mini", "--student", "s001", "--args"]
    assert "is no JSON object" in refused([*tool, "[" * 100_000], capsys)


@pytest.mark.parametrize("config", ["rubric", "pipeline", "study"])
def test_toml_that_nests_too_deeply_is_told_with_its_file(config: str, tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 100_000)
    assert main([*ASKED, "--json"], scripted(final("So."))) in (0, 3)
    (tmp_path / "answers.jsonl").write_text(capsys.readouterr().out)
    commands = {
        "rubric": ["judge", "answers.jsonl", "--judge", "m", "--base-url", "http://127.0.0.1:9", "--rubrics", "."],
        "pipeline": ["train", str(path), "--out", "run"],
        "study": ["study", "serve", str(path)],
    }
    if config == "rubric":
        commands["rubric"] += ["--out", "judged.jsonl"]
    assert "deep.toml" in refused(commands[config], capsys)


def test_records_with_half_a_character_cannot_be_followed(tmp_path: Path, capsys: Out) -> None:
    assert main([*ASKED, "--json"], scripted(final("So."))) in (0, 3)
    record = json.loads(capsys.readouterr().out)
    record["task"]["question"] = "half \ud83d"
    (tmp_path / "earlier.jsonl").write_text(json.dumps(record) + "\n")
    assert "not a readable record" in refused([*ASKED, "--follow", "earlier.jsonl"], capsys)


def test_an_earlier_answer_without_bounds_cannot_be_followed(tmp_path: Path, capsys: Out) -> None:
    assert main([*ASKED, "--json"], scripted(final("So."))) in (0, 3)
    record = json.loads(capsys.readouterr().out) | {"answer": "word " * 900_000}
    (tmp_path / "earlier.jsonl").write_text(json.dumps(record) + "\n")
    assert "has 4500000 characters; at most 20000" in refused([*ASKED, "--follow", "earlier.jsonl"], capsys)


def test_an_answer_with_half_a_character_is_printed(capsys: Out) -> None:
    assert main([*ASKED, "--json"], scripted(final("So \ud83d it is."))) in (0, 3)
    json.loads(capsys.readouterr().out)


def test_a_folder_of_courses_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", "nowhere")
    assert "there is no folder of courses nowhere" in refused(ASKED, capsys)


def test_a_question_file_for_an_ablation_that_is_not_there_is_noticed_first(tmp_path: Path, capsys: Out) -> None:
    config = Path(__file__).parents[2] / "finetune" / "configs" / "smollm2.toml"
    assert "no file of questions nowhere" in refused(
        ["ablate", str(config), "--out", "dir", "--questions", "nowhere"], capsys
    )
    assert not Path("dir").exists()


def test_a_full_disk_behind_the_output_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(STUDENTS, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "scribe: the output cannot be written: the disk is full\n")


def test_a_closed_output_is_said() -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *STUDENTS]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("scribe: standard output is closed")


def test_an_output_that_knows_no_accents_gets_question_marks(mini: Path) -> None:
    head = mini / "course.toml"
    head.write_text(head.read_text().replace("Mini Course", "Géodésie"), encoding="utf-8")
    told = subprocess.run(STUDENTS, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
    assert told.stdout.startswith(b"G?od?sie (mini): 3 students")
