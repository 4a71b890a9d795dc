"""Programs for a task: run once each, and read for the dependencies that they use."""

import shutil
from pathlib import Path

import pytest

from data.tasks.reading import find_task
from eval.tutoring.programs.appending import LineFile
from eval.tutoring.programs.dependencies import find_used, measure_recall
from eval.tutoring.programs.tester import ProgramTester
from scribe.plumbing.errors import RecordError

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")


def test_the_reference_uses_all_dependencies_and_a_call_without_self_is_another_name() -> None:
    task = find_task("loan-desk")
    assert measure_recall(task, task.reference) == 1.0
    without_self = task.compose({"loans-of-member": 2})
    assert find_used(task, task.reference) - find_used(task, without_self) == {"library/desk.py::Desk.loans_of"}


def test_what_is_no_python_uses_nothing() -> None:
    task = find_task("loan-desk")
    assert measure_recall(task, "def lend(self:") == 0.0


def test_a_name_that_is_only_assigned_is_not_used() -> None:
    task = find_task("final-grade")
    assert find_used(task, "def final_grade(grades, weights):\n    clip = 1\n    return scale.clip(2)\n") == {
        "gradebook/scale.py::clip"
    }
    assert not find_used(task, "def final_grade(grades, weights):\n    clip = 1\n")


@needs_sandbox
@pytest.mark.timeout(300)
def test_programs_that_are_tried_together_pass_or_fail_as_each_alone(tmp_path: Path) -> None:
    task = find_task("final-grade")
    tester = ProgramTester()
    codes = [task.compose(versions) for versions in ({"divide": 1}, {}, {"quarters": 2, "excused": 1}, {"divide": 1})]
    codes += ["import os\nos._exit(0)\n", "def final_grade(grades, weights):\n    while True: pass\n", "no python"]
    tried = tester.try_programs(task, codes)
    assert [each.passed for each in tried] == [False, True, False, False, False, False, False]
    assert [each.passed for each in tried[:3]] == [tester.examine(task, code).passed for code in codes[:3]]


@needs_sandbox
def test_a_program_whose_result_is_kept_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = find_task("final-grade")
    first = ProgramTester(tmp_path / "programs.jsonl")
    tried = first.try_programs(task, [task.reference, task.compose({"divide": 1})])
    with (tmp_path / "programs.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "cut o')
    again = ProgramTester(tmp_path / "programs.jsonl")
    monkeypatch.setenv("PATH", "")  # now nothing could be run
    assert again.try_programs(task, [task.reference, task.compose({"divide": 1})]) == tried
    assert again.examine(task, task.reference).passed


def test_a_file_of_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "programs.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"programs.jsonl:1"):
        ProgramTester(tmp_path / "programs.jsonl")


def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_bytes(b"1\n2")
    file = LineFile(tmp_path / "lines.jsonl")
    file.append("3")
    assert (tmp_path / "lines.jsonl").read_bytes() == b"1\n3\n"
