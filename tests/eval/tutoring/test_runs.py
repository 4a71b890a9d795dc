"""Runs into a folder: whole sessions only, killed and gone on with, failures counted."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from eval.tutoring.protocol.measuring import SessionMeasurer
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import MeasuredSession, SessionKey
from eval.tutoring.protocol.run import SESSIONS, MeasurementFolder, RunOutcome, run_sessions
from eval.tutoring.students.learning import Listening
from scribe.plumbing.errors import BackendError, RecordError, UsageError
from scribe.sandbox.result import SandboxMissing
from tests.eval.tutoring import slow_run
from tests.eval.tutoring.scripted import ScriptedTester, ScriptedTutor
from tests.eval.tutoring.slow_run import ABOUT, KEYS

ROOT = Path(__file__).parents[3]


class ScriptedMeasuring:
    """Remembers what it measured; sessions of the tasks in `broken` fail."""

    def __init__(self, broken: str = "") -> None:
        self.broken, self.seen = broken, list[str]()

    def __call__(self, key: SessionKey) -> MeasuredSession:
        self.seen.append(key.task)
        if key.task in self.broken:
            raise BackendError("no answer")
        return slow_run.measure(key)


def run(path: Path, measure: ScriptedMeasuring, max_errors: int = 20) -> RunOutcome:
    with MeasurementFolder(path, ABOUT) as folder:
        return run_sessions(folder, KEYS, measure, 2, lambda: False, lambda done, total: None, max_errors)


@pytest.mark.timeout(300)
def test_a_run_that_was_killed_goes_on_and_loses_no_finished_session(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests/eval/tutoring/slow_run.py"), str(tmp_path)]
    with subprocess.Popen(command, env={"PYTHONPATH": str(ROOT)}) as process:
        while process.poll() is None and (
            not (path := tmp_path / SESSIONS).exists() or path.read_bytes().count(b"\n") < 2
        ):
            time.sleep(0.05)
        process.kill()
    with (tmp_path / SESSIONS).open("ab") as file:
        file.write(b'{"key": {"tut')  # as if it had died while it wrote
    measuring = ScriptedMeasuring()
    outcome = run(tmp_path, measuring)
    assert (outcome.state, outcome.done, sorted(measuring.seen)) == ("finished", 4, ["c", "d"])
    lines = [json.loads(line) for line in (tmp_path / SESSIONS).read_text(encoding="utf-8").splitlines()]
    assert sorted(line["key"]["task"] for line in lines) == ["a", "b", "c", "d"]


def test_a_failed_session_is_counted_and_tried_again(tmp_path: Path) -> None:
    outcome = run(tmp_path, ScriptedMeasuring("bd"))
    assert (outcome.state, outcome.done, outcome.failed) == ("finished", 2, {"BackendError: no answer": 2})
    measuring = ScriptedMeasuring()
    assert run(tmp_path, measuring).done == 4
    assert sorted(measuring.seen) == ["b", "d"]


def test_too_many_failures_stop_a_run(tmp_path: Path) -> None:
    measuring = ScriptedMeasuring("abcd")
    outcome = run(tmp_path, measuring, max_errors=0)
    assert outcome.state == "stopped"
    assert outcome.done == 0


def test_a_sandbox_that_an_interruption_ended_is_no_missing_one(tmp_path: Path) -> None:
    interrupted = threading.Event()

    def end_sandbox(key: SessionKey) -> MeasuredSession:
        if key.task == "b":
            interrupted.set()
        if key.task > "a":
            raise SandboxMissing("it was killed")
        return slow_run.measure(key)

    with MeasurementFolder(tmp_path / "one", ABOUT) as folder:
        outcome = run_sessions(folder, KEYS, end_sandbox, 1, interrupted.is_set, lambda done, total: None)
    assert (outcome.state, outcome.done) == ("interrupted", 1)
    with (
        MeasurementFolder(tmp_path / "two", ABOUT) as folder,
        pytest.raises(SandboxMissing),  # nobody interrupted, so it fails for all
    ):
        run_sessions(folder, KEYS, end_sandbox, 1, lambda: False, lambda done, total: None)


def test_a_folder_of_other_students_is_refused_and_more_tasks_are_not(tmp_path: Path) -> None:
    about = {"students": "knowledge", "tasks": {"a": "1"}, "tutors": {"t": {}}}
    with MeasurementFolder(tmp_path, about):
        pass
    with MeasurementFolder(tmp_path, {**about, "tasks": {"b": "2"}}):
        pass
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["tasks"] == {"a": "1", "b": "2"}
    with pytest.raises(UsageError, match="other students"), MeasurementFolder(tmp_path, {**about, "students": "model"}):
        pass
    with (
        pytest.raises(UsageError, match=r"other tasks \(a\)"),
        MeasurementFolder(tmp_path, {**about, "tasks": {"a": "x"}}),
    ):
        pass


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with (
        MeasurementFolder(tmp_path, ABOUT),
        pytest.raises(UsageError, match="another run"),
        MeasurementFolder(tmp_path, ABOUT),
    ):
        pass


def test_a_line_that_is_no_session_is_told_with_its_number(tmp_path: Path) -> None:
    run(tmp_path, ScriptedMeasuring())
    with (tmp_path / SESSIONS).open("a", encoding="utf-8") as file:
        file.write('{"key": 1}\n')
    with pytest.raises(RecordError, match=r"sessions.jsonl:5"):
        run(tmp_path, ScriptedMeasuring())


def test_a_plan_needs_its_tutors_and_its_model() -> None:
    plan = MeasurementPlan(("vanilla",), ("final-grade",))
    with pytest.raises(UsageError, match="no tutor 'vanilla'"):
        SessionMeasurer(plan, {}, ScriptedTester(), Listening())
    with pytest.raises(UsageError, match="need one"):
        played = MeasurementPlan((), ("final-grade",), students="model")
        SessionMeasurer(played, {}, ScriptedTester(), Listening())


def test_the_same_plan_gives_the_same_sessions_whatever_is_at_a_time(tmp_path: Path) -> None:
    plan = MeasurementPlan(("scripted", "oracle"), ("final-grade",), attempts=3, rounds=2)
    found = []
    for parallel in (1, 3):
        tutors = {"scripted": ScriptedTutor(["An excused item is None, which is not the same as the grade 0."])}
        measurer = SessionMeasurer(plan, tutors, ScriptedTester(), Listening())
        with MeasurementFolder(tmp_path / str(parallel), ABOUT) as folder:
            keys = list(plan.list_keys())
            run_sessions(folder, keys, measurer.measure, parallel, lambda: False, lambda done, total: None)
            found.append([{**vars_of(folder.sessions[key]), "seconds": 0} for key in keys])
    assert found[0] == found[1]
    assert len(found[0]) == 6


def vars_of(session: MeasuredSession) -> dict[str, object]:
    return {name: getattr(session, name) for name in session.__dataclass_fields__}
