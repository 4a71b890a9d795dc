"""`scribe agree`: the table on the screen and as JSON, and what is refused."""

import json
from pathlib import Path

import pytest

from app.cli import main
from tests.eval.agreement.files import answers, judgement, label, write


def test_judges_and_people_are_compared_in_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = {f"q{number}": number % 2 == 0 for number in range(10)}
    for person in ("ana", "ben"):
        write(tmp_path / "labels" / f"{person}.jsonl", [label(f"tuned#{id}", yes, person) for id, yes in truth.items()])
    lines = [judgement(id, "yes" if yes else "no", repeat) for id, yes in truth.items() for repeat in range(2)]
    judged = write(tmp_path / "judged.jsonl", lines)
    where = ["--labels", str(tmp_path / "labels"), "--json", str(tmp_path / "table.json")]
    assert main(["agree", "--judgements", str(judged), *where]) == 0
    out = capsys.readouterr().out
    assert "| relevance | ana | ben |" in out
    assert "| people who agree | gpt |" in out
    numbers = json.loads((tmp_path / "table.json").read_text())["numbers"]
    assert [row["kappa"] for row in numbers] == [1.0] * len(numbers)


def test_what_is_of_another_text_is_not_compared_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = write(tmp_path / "j.jsonl", [judgement("q1", "no", of="0b"), judgement("q2", "yes")])
    labels = write(tmp_path / "ana.jsonl", [label("tuned#q1", True), label("tuned#q2", True)])
    where = ["agree", "--judgements", str(judged), "--labels"]
    assert main([*where, str(labels)]) == 0
    out = capsys.readouterr().out
    assert "under the same name: 1 labels, 1 verdicts" in out
    assert "| relevance | ana | gpt | 1 | 0 | 100.0 % |" in out
    assert main([*where, str(write(tmp_path / "ben.jsonl", [label("tuned#q1", True, "ben")]))]) == 2
    assert "under the same name: 1 labels, 1 verdicts" in capsys.readouterr().err


def test_a_judge_behind_which_the_model_changed_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [judgement(f"q{n}", "yes", model=f"gpt-{n % 2}") for n in range(3)]
    judged = write(tmp_path / "j.jsonl", lines)
    labels = write(tmp_path / "ana.jsonl", [label("tuned#q1", True)])
    assert main(["agree", "--judgements", str(judged), "--labels", str(labels)]) == 0
    assert "Behind gpt the address reported several models (gpt-0: 2, gpt-1: 1)" in capsys.readouterr().out


def test_two_people_are_compared_before_there_is_a_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for person in ("ana", "ben"):
        write(tmp_path / f"{person}.jsonl", [label("tuned#q1", True, person), label("tuned#q2", False, person)])
    assert main(["agree", "--labels", str(tmp_path)]) == 0
    assert "Judges: none" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "told"), [([], "scribe agree --judgements"), (["--labels", "nowhere"], "no labels in nowhere")]
)
def test_without_labels_it_says_how_to_make_them(
    more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agree", *more]) == 2
    assert told in capsys.readouterr().err


def test_labels_and_judgements_of_different_answers_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = write(tmp_path / "ana.jsonl", [label("other#q9", True)])
    judged = write(tmp_path / "judged.jsonl", [judgement("q1", "yes")])
    assert main(["agree", "--judgements", str(judged), "--labels", str(labels)]) == 2
    assert "nothing that two have rated" in capsys.readouterr().err


def test_the_labelling_page_listens_on_this_machine_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["agree", "label", "a.jsonl", "--out", str(tmp_path), "--person", "ana", "--host", "0.0.0.0"]
    assert main(wanted) == 2
    assert "does not listen on 0.0.0.0" in capsys.readouterr().err


def test_answers_of_a_course_that_is_not_there_are_refused_before_anybody_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = answers(tmp_path / "a.jsonl", ["q1"])
    assert main(["agree", "label", str(file), "--out", str(tmp_path / "labels"), "--person", "ana"]) == 2
    assert "mini" in capsys.readouterr().err
