"""One question asked as several students."""

import json
from pathlib import Path

import pytest

from eval.spreading import spread
from scribe.errors import UsageError

STUDENTS = [f"s{number:03d}" for number in range(1, 31)]


def asked(path: Path, count: int, seed: int = 0) -> list[dict[str, str]]:
    return [json.loads(line) for line in spread(path, lambda course: STUDENTS, count, seed)]


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
    with pytest.raises(UsageError, match=r"bad\.jsonl:2: a question for several"):
        asked(tmp_path / "bad.jsonl", 1)
