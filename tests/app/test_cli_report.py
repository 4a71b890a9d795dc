"""`scribe report` on files of answers, beside a student's report under the same name."""

from pathlib import Path

import pytest

from app.cli import main
from tests.app.told import call, final, mini_courses, scripted

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _mini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(mini_courses(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_from_questions_to_the_page_with_the_checks_that_need_no_model(tmp_path: Path, capsys: Out) -> None:
    Path("in.jsonl").write_text(
        '{"id": "q", "course": "mini", "student": "s001", "question": "What is week 2 about?"}\n'
    )
    turns = scripted(call("map_week_to_topic", week=2), final("Week 2 is called Middle. It teaches Vectors."))
    assert main(["answer", "in.jsonl", "--out", "run.jsonl", "--parallel", "1"], turns) == 0
    assert main(["report", "ours=run.jsonl", "--judge", "local", "--out", "page"]) == 0
    out = capsys.readouterr().out
    assert "not the rubrics' judge" in out
    assert "page/index.html: 1 runs" in out
    text = Path("page/index.html").read_text(encoding="utf-8")
    assert "Checks without a model, no judge" in text
    assert "map_week_to_topic" in Path("page/csv/tools.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--student ID"),
        (["run.jsonl"], "--out DIR"),
        (["run.jsonl", "--student", "s001"], "give either"),
        (["run.jsonl", "--out", "page"], "cannot be read"),
    ],
)
def test_what_is_missing_is_said_in_one_line(arguments: list[str], said: str, capsys: Out) -> None:
    assert main(["report", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_help_shows_how_each_kind_of_runs_is_compared(capsys: Out) -> None:
    with pytest.raises(SystemExit):
        main(["report", "--help"])
    told = capsys.readouterr().out
    assert all(words in told for words in ("--backend api", "--unseen lnv", "with an unseen tool", "rank@32=", "tuned"))
