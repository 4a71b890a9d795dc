"""`scribe evaluate`: questions to the page, with a scripted model and a judge on loopback."""

import json
from pathlib import Path

import pytest

from app.cli import main
from eval.judge.judgement import read_judgements
from tests.app.told import call, final, mini_courses, scripted
from tests.eval.agreement.files import label, write
from tests.eval.judge.scripted_judge import decide, serve_judge

ROW = {"id": "q", "course": "mini", "student": "s001", "question": "What is week 2 about?", "category": "course"}
SAID = (call("map_week_to_topic", week=2), final("Week 2 is called Middle. It teaches Vectors."))


@pytest.fixture(autouse=True)
def _mini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(mini_courses(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_text(json.dumps(ROW) + "\n", encoding="utf-8")


def evaluate(*flags: str) -> int:
    return main(["evaluate", "in.jsonl", "--out", "page", "--parallel", "1", *flags], scripted(*SAID))


def test_one_command_answers_judges_and_shows_and_again_only_shows() -> None:
    with serve_judge(lambda body, number: decide("NO")) as server:
        asked = ("--judge", "m", "--judge-url", server.url, "--repeats", "2")
        assert evaluate(*asked) == 0
        page = Path("page/index.html").read_text(encoding="utf-8")
        assert evaluate(*asked) == 0
    assert len(server.asked) == len(list(read_judgements(Path("page/answers.judgements.jsonl")))) == 10
    assert len(Path("page/answers.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert "It teaches Vectors" in page
    assert Path("page/index.html").read_text(encoding="utf-8") == page


def test_criteria_labels_and_unseen_courses_reach_their_step() -> None:
    Path("in.jsonl").write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"id": "r"}) + "\n", encoding="utf-8")
    write(Path("labels/ana.jsonl"), [label("answers#q", True)])
    with serve_judge(lambda body, number: decide("NO")) as server:
        asked = ("--judge", "m", "--judge-url", server.url, "--criteria", "language,relevance")
        wanted = ["evaluate", "in.jsonl", "--out", "page", "--parallel", "1", *asked, "--labels", "labels"]
        assert main([*wanted, "--unseen", "mini"], scripted(*SAID, *SAID)) == 0
    assert {each.criterion for each in read_judgements(Path("page/answers.judgements.jsonl"))} == {
        "language",
        "relevance",
    }
    assert "1 labels are of other answers" in Path("page/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--criteria", "language"], "for a judge"),
        (["--labels", "nowhere"], "no labels in nowhere"),
    ],
)
def test_what_has_no_step_to_go_to_is_refused_at_once(
    flags: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(*flags) == 2
    assert told in capsys.readouterr().err
    assert not Path("page").exists()


def test_a_course_that_no_answer_is_about_cannot_be_unseen(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--unseen", "lnv") == 2
    assert "no answer is about the course 'lnv'" in capsys.readouterr().err


def test_the_checks_without_a_model_are_shown_as_such() -> None:
    assert evaluate("--judge", "local") == 0
    assert "Checks without a model, no judge" in Path("page/index.html").read_text(encoding="utf-8")


def test_each_question_can_be_asked_as_students_drawn_by_lot() -> None:
    assert evaluate("--students", "1") == 0
    row = json.loads(Path("page/answers.jsonl").read_text(encoding="utf-8"))
    assert row["id"] == "q@s001"  # the only one with a report


def test_questions_in_a_table_are_evaluated_too() -> None:
    Path("in.csv").write_text("id,course,student,question\nq,mini,s001,What is week 2 about?\n", encoding="utf-8")
    assert main(["evaluate", "in.csv", "--out", "page", "--parallel", "1"], scripted(*SAID)) == 0
    assert Path("page/index.html").exists()


def test_a_judge_without_an_address_is_refused_before_anything_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--judge", "m") == 2
    assert "--judge-url" in capsys.readouterr().err
    assert not Path("page").exists()


def test_a_step_that_is_refused_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "nowhere.jsonl", "--out", "page"], scripted(*SAID)) == 2
    assert not Path("page/index.html").exists()


@pytest.mark.parametrize("name", ["../x", "x/y", "/x", "..", ".x", "", "a\0b", "a\nb", "a" * 5000, "-x", "\udc80"])
def test_a_name_that_would_write_elsewhere_is_refused_before_anything_is_answered(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(Path().rglob("*"))
    assert evaluate(f"--name={name}") == 2
    assert "--name" in (told := capsys.readouterr().err) and len(told) < 300
    assert set(Path().rglob("*")) - before <= {Path("cache")}


@pytest.mark.parametrize("run", ["gone.jsonl", "base=gone.jsonl", "page"])
def test_an_earlier_run_that_is_not_there_is_noticed_first(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--beside", run) == 2
    assert "there is no such file" in capsys.readouterr().err
    assert not Path("page").exists()


def test_a_file_in_the_place_of_the_folder_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    Path("page").write_text("mine")
    assert evaluate() == 2
    assert "page: File exists" in capsys.readouterr().err
    assert Path("page").read_text() == "mine"
