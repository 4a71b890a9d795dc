"""`scribe answer` from file to file, with a scripted model."""

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from scribe import records
from scribe.backend import Completion, OnText
from scribe.trajectory import Stop
from tests.app.batch.questions import lines, row, write
from tests.app.batch.scripted_reader import BAD, BUG, WRONG, ScriptedReader, answer_to, reading

IN, OUT = Path("in.jsonl"), Path("out.jsonl")
Out = pytest.CaptureFixture[str]


def answer(*options: str, backend: ScriptedReader | None = None) -> int:
    return main(["answer", str(IN), "--out", str(OUT), *options], reading(backend or ScriptedReader()))


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("out.jsonl.manifest.json").read_text())
    return found


def test_every_row_gets_the_answer_to_its_own_question_in_the_inputs_order(capsys: Out) -> None:
    write(IN, [row(number) for number in range(20)])
    assert answer("--parallel", "4") == 0
    assert [(line["id"], line["answer"]) for line in lines(OUT)] == [
        (f"q{number}", answer_to(row(number)["question"])) for number in range(20)
    ]
    assert "20 questions: 20 answered" in capsys.readouterr().out


def test_a_line_can_be_read_as_a_record() -> None:
    write(IN, [row(1, history=[{"question": "Why so?", "answer": "Because."}])])
    assert answer() == 0
    (record,) = records.read(OUT)
    assert (record.id, record.stop, record.task.student) == ("q1", Stop.ANSWERED, "s002")
    assert [exchange.answer for exchange in record.task.history] == ["Because."]


def test_rows_that_fail_or_stay_unresolved_have_the_same_keys_and_stop_nobody(capsys: Out) -> None:
    questions = [f"Why {word}?" for word in ("so", BAD, WRONG, BUG, "not")]
    write(IN, [row(number, question=question) for number, question in enumerate(questions)])
    assert answer() == 3
    found = lines(OUT)
    assert [line["status"] for line in found] == ["ok", "error", "unresolved", "error", "ok"]
    assert len({tuple(line) for line in found}) == 1
    assert found[1]["error"] == {"type": "BackendError", "message": "nobody answers there"}
    assert found[3]["error"]["type"] == "RuntimeError"
    assert found[1]["answer"] is found[2]["answer"] is found[2]["error"] is None
    told = capsys.readouterr().out
    assert "2 answered, 1 unresolved, 2 failed" in told
    assert "nobody answers there" in told or "boom" in told
    assert [record.id for record in records.read(OUT)] == ["q0", "q1", "q2", "q3", "q4"]


def test_a_second_run_asks_nothing_again(place: Path) -> None:
    write(IN, [row(number) for number in range(6)])
    asked = place / "asked"
    assert answer("--limit", "4", backend=ScriptedReader(asked=asked)) == 0
    assert answer(backend=ScriptedReader(asked=asked)) == 0
    before = OUT.read_bytes()
    assert answer(backend=ScriptedReader(asked=asked)) == 0
    assert OUT.read_bytes() == before
    assert sorted(asked.read_text().split("\n")[:-1]) == sorted(row(number)["question"] for number in range(6))
    assert [run["answered"] for run in manifest()["runs"]] == [4, 2, 0]


def test_failed_rows_are_done_again_only_on_request() -> None:
    write(IN, [row(0), row(1, question=f"Why {BAD}?")])
    assert answer() == 3
    assert answer(backend=ScriptedReader(cured=True)) == 3
    assert answer("--retry-failed", backend=ScriptedReader(cured=True)) == 0
    assert [(line["id"], line["status"]) for line in lines(OUT)] == [("q0", "ok"), ("q1", "ok")]


def test_too_many_errors_stop_the_run_and_the_rest_is_left() -> None:
    write(IN, [row(number, question=f"Why {BAD}?") for number in range(30)])
    assert answer("--max-errors", "2", "--parallel", "1") == 3
    failed = len(lines(OUT))
    assert 3 <= failed <= 6  # the thread may be two rows ahead of the file when it is told
    assert manifest()["runs"][-1]["state"] == "stopped"
    assert manifest()["counts"] == {"rows": 30, "ok": 0, "unresolved": 0, "error": failed, "left": 30 - failed}


def test_a_model_that_is_too_busy_is_asked_again() -> None:
    write(IN, [row(number) for number in range(4)])
    assert answer("--parallel", "2", backend=ScriptedReader(full=3)) == 0
    assert [line["status"] for line in lines(OUT)] == ["ok"] * 4


def test_no_more_questions_are_asked_at_once_than_allowed() -> None:
    write(IN, [row(number) for number in range(12)])
    backend = ScriptedReader(delay=0.02)
    assert answer("--parallel", "3", backend=backend) == 0
    assert backend.most_at_once == 3


def test_completion_order_is_kept_if_wanted() -> None:
    write(IN, [row(number) for number in range(9)])
    assert answer("--order", "completion", "--parallel", "1") == 0
    assert [line["id"] for line in lines(OUT)] == ["q0", "q3", "q6", "q1", "q4", "q7", "q2", "q5", "q8"]
    assert answer("--parallel", "1") == 0
    assert [line["id"] for line in lines(OUT)] == [f"q{number}" for number in range(9)]


def test_the_manifest_says_what_was_run_and_what_it_took() -> None:
    write(IN, [row(number) for number in range(3)])
    assert answer("--base-url", "http://me:secret@127.0.0.1/v1") == 0
    told = manifest()
    assert told["counts"] == {"rows": 3, "ok": 3, "unresolved": 0, "error": 0, "left": 0}
    assert told["usage"]["prompt_tokens"] == 300
    assert told["usage"]["cached_tokens"] == 180
    assert told["model"] == {"backend": "scripted", "name": "reader"}
    assert told["runs"][-1]["state"] == "finished"
    assert told["input"]["rows"] == 3
    assert "secret" not in json.dumps(told)


def test_two_runs_cannot_write_one_file(capsys: Out) -> None:
    write(IN, [row(number) for number in range(3)])
    slow = ScriptedReader(delay=2.0)
    first = threading.Thread(target=answer, kwargs={"backend": slow})
    first.start()
    while not slow.most_at_once:
        time.sleep(0.01)
    assert answer() == 2
    assert "another run is writing" in capsys.readouterr().err
    first.join()
    assert [line["id"] for line in lines(OUT)] == ["q0", "q1", "q2"]


def test_an_output_that_vanishes_while_it_is_written_is_no_success(capsys: Out) -> None:
    class Remover(ScriptedReader):
        def _said(self, question: str, on_text: OnText | None) -> Completion:
            OUT.unlink(missing_ok=True)
            return super()._said(question, on_text)

    write(IN, [row(number) for number in range(3)])
    assert answer("--parallel", "1", backend=Remover()) == 1
    assert "was removed while it was written" in capsys.readouterr().err
    assert manifest()["runs"][-1]["state"] == "stopped"
    assert answer() == 0
    assert [each["id"] for each in lines(OUT)] == ["q0", "q1", "q2"]
