"""Questions that people asked, to the model that comes with Scribe, and again when nothing is left.

How good its answers are does not matter here; it is given a few tokens, so that it takes seconds.
"""

from pathlib import Path

import pytest

from app.cli import main
from app.dialogue.asking import ask
from scribe import records
from tests.app.batch.questions import lines
from tools.assembly.assistant import assemble, find_course
from tools.assembly.model import make_backend
from tools.assembly.settings import AssistantSettings

QUESTIONS = Path(__file__).parents[3] / "eval" / "student_questions.jsonl"
BRIEF = {"max_tokens": 16, "steps": 2, "faults": 0}


@pytest.mark.timeout(400)  # seconds of work, minutes where others work too
def test_a_file_is_answered_as_the_questions_are_one_by_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIBE_COURSES_FOLDER")
    monkeypatch.delenv("SCRIBE_CACHE")  # where the model is prepared
    monkeypatch.setenv("SCRIBE_MODEL_THREADS", "1")
    for name, value in BRIEF.items():
        monkeypatch.setenv(f"SCRIBE_ANSWER_{name.upper()}", str(value))
    out = place / "out.jsonl"
    argv = ["answer", str(QUESTIONS), "--out", str(out), "--parallel", "2", "--limit", "3"]
    code = main(argv)
    found = lines(out)
    assert code == (0 if all(line["status"] == "ok" for line in found) else 3)
    assert main(argv) == code
    assert lines(out) == found
    assert [line["id"] for line in found] == ["q01", "q02", "q03"]
    assert {line["status"] for line in found} <= {"ok", "unresolved"}
    assert all(line["model"]["sha256"] and line["usage"]["completion_tokens"] for line in found)

    settings = AssistantSettings().with_changes("model", threads=1).with_changes("answer", **BRIEF)
    assistant = assemble(settings, find_course(settings), make_backend(settings))
    first = next(iter(records.read(out)))
    task = assistant.task(first.task.student, first.task.question, first.task.theory)
    assert ask(assistant.agent(task.student), task, lambda event: None).steps == first.steps
