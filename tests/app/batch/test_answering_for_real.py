"""Ten questions that a person wrote, to the model that comes with the repository, and again when nothing is left."""

from pathlib import Path

import pytest

from app import build
from app.asking import ask
from app.cli import main
from app.settings import Settings
from tests.app.batch.questions import lines

QUESTIONS = Path(__file__).parents[3] / "eval" / "student_questions.jsonl"


@pytest.mark.timeout(400)  # seconds of work, minutes where others work too
def test_a_file_is_answered_as_the_questions_are_one_by_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIBE_COURSES_FOLDER")
    monkeypatch.setenv("SCRIBE_MODEL_THREADS", "1")
    out = place / "out.jsonl"
    argv = ["answer", str(QUESTIONS), "--out", str(out), "--parallel", "2"]
    code = main([*argv, "--limit", "10"])
    found = lines(out)
    assert code == (0 if all(line["status"] == "ok" for line in found) else 3)
    assert main([*argv, "--limit", "10"]) == code
    assert lines(out) == found
    assert [line["id"] for line in found] == [f"q{number:02}" for number in range(1, 11)]
    assert sum(line["status"] == "ok" for line in found) >= 7
    assert all(line["model"]["sha256"] and line["usage"]["completion_tokens"] for line in found)

    settings = Settings().changed("model", threads=1)
    assistant = build.assistant(settings, build.course(settings))
    for line in found[4:6]:
        task = line["task"]
        alone = assistant.task(task["student"], task["question"], task["theory"])
        assert ask(assistant.agent(task["student"]), alone, lambda event: None).answer == line["answer"]
