"""Files of questions: what cannot be read is named, benches choose, and one is asked as several students."""

import json
from pathlib import Path

import pytest

from eval.questions import choose_questions, read_questions, spread_over_students
from scribe.plumbing.errors import RecordError, UsageError

STUDENTS = [f"s{number:03d}" for number in range(1, 31)]


def asked(path: Path, count: int, seed: int = 0) -> list[dict[str, str]]:
    return [json.loads(line) for line in spread_over_students(path, lambda course: STUDENTS, count, seed)]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    rows = [{"id": f"q{n}", "course": "dsp", "question": "où ça ?", "category": "how"} for n in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_each_question_is_asked_as_so_many_different_students_and_keeps_the_rest(questions: Path) -> None:
    rows = asked(questions, 3)
    assert len(rows) == len({row["id"] for row in rows}) == 60
    assert len({row["student"] for row in rows[:3]}) == 3
    assert rows[0]["id"] == f"q0@{rows[0]['student']}"
    assert rows[0]["category"] == "how"


def test_the_same_seed_draws_the_same_students_and_each_question_its_own(questions: Path) -> None:
    assert asked(questions, 2) == asked(questions, 2)
    assert asked(questions, 2) != asked(questions, 2, seed=1)
    assert len({row["student"] for row in asked(questions, 2)}) > 10


def test_what_cannot_be_is_refused_with_its_line(questions: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"q\.jsonl:1: dsp has 30 students, not 31"):
        asked(questions, 31)
    (tmp_path / "bad.jsonl").write_text('\n{"id": 3}\n')
    with pytest.raises(RecordError, match=r"bad\.jsonl:2: id"):
        asked(tmp_path / "bad.jsonl", 1)


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    good = {"id": "1", "course": "dsp", "student": "s1", "theory": "nr", "question": "?", "tools": [], "category": "c"}
    path.write_text(json.dumps(good) + "\n" + json.dumps(good | {"tools": 3}) + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"asked\.jsonl:2: tools"):
        read_questions(path)


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(UsageError, match="no question"):
        read_questions(tmp_path / "empty.jsonl")


def test_neighbours_in_a_bench_are_of_different_students() -> None:
    chosen = choose_questions(3, 2)
    assert [one.student for one in chosen] == ["s010", "s020", "s030"] * 2
    assert len({one.question for one in chosen}) == 6
