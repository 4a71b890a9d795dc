"""Commands on a full or read-only disk and with too little memory: one clear line, or no harm at all."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.batch.questions import courses, lines, row, write
from tests.faults.machine import fill, make_read_only, mount_disk
from tests.killing.scripted_model import ScriptedModel, answer_to

pytestmark = pytest.mark.timeout(600)
ROOT = Path(__file__).parents[2]
SHORT_OF_MEMORY = """
import os, resource, sys
from app.cli import main
import app.commands.answer, app.batch.local, app.settings, tools.assembly.model
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * os.sysconf("SC_PAGE_SIZE") + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
sys.exit(main(sys.argv[2:]))
"""


def scribe(folder: Path, model: ScriptedModel, *arguments: str, program: tuple[str, ...] = ("-m", "app.cli")) -> str:
    """What a command says, its exit code first."""
    ours = {"SCRIBE_COURSES_FOLDER": str(folder / "courses"), "SCRIBE_MODEL_BASE_URL": model.url}
    ours |= {"SCRIBE_MODEL_BACKEND": "api", "SCRIBE_MODEL_PATH": "scripted", "PYTHONPATH": str(ROOT)}
    ours |= {"XDG_CACHE_HOME": str(folder / "disk"), "HOME": str(folder / "disk")}
    done = subprocess.run(
        [sys.executable, *program, *arguments],
        env={name: value for name, value in (os.environ | ours).items() if name != "SCRIBE_CACHE"},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return f"{done.returncode} {done.stdout}{done.stderr}"


@pytest.mark.parametrize("harm", [fill, make_read_only])
def test_a_cache_and_log_that_cannot_be_written_cost_no_answer(
    scripted_model: ScriptedModel, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    courses(tmp_path / "courses")
    with mount_disk(tmp_path / "disk", 64) as disk:
        harm(disk)
        told = scribe(tmp_path, scripted_model, "ask", "Why?", "--course", "mini", "--student", "s001")
    assert told.startswith("0 ") and answer_to("Why?") in told
    assert "Error" not in told and "Traceback" not in told


def test_answers_on_a_disk_that_fills_up_go_on_when_there_is_room(
    scripted_model: ScriptedModel, tmp_path: Path
) -> None:
    courses(tmp_path / "courses")
    write(tmp_path / "in.jsonl", [row(number) for number in range(120)])
    with mount_disk(tmp_path / "disk", 64) as disk:
        command = ["answer", "in.jsonl", "--out", "disk/out.jsonl"]
        told = scribe(tmp_path, scripted_model, *command)
        assert told.startswith("1 ") and "No space left on device" in told and "went wrong" not in told
        kept = lines(disk / "out.jsonl")
        assert 0 < len(kept) < 120 and all(line["answer"] == answer_to(line["task"]["question"]) for line in kept)
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        assert scribe(tmp_path, scripted_model, *command).startswith("0 ")
        assert [line["id"] for line in lines(disk / "out.jsonl")] == [f"q{number}" for number in range(120)]


def test_an_output_on_a_read_only_disk_is_refused_before_anything_is_answered(
    scripted_model: ScriptedModel, tmp_path: Path
) -> None:
    courses(tmp_path / "courses")
    write(tmp_path / "in.jsonl", [row(0)])
    before = scripted_model.asked
    with mount_disk(tmp_path / "disk", 64) as disk:
        make_read_only(disk)
        told = scribe(tmp_path, scripted_model, "answer", "in.jsonl", "--out", "disk/out.jsonl")
    assert told.startswith("2 ") and "cannot be written: Read-only file system" in told
    assert scripted_model.asked == before


def test_memory_that_does_not_suffice_is_one_clear_line(scripted_model: ScriptedModel, tmp_path: Path) -> None:
    courses(tmp_path / "courses")
    with (tmp_path / "in.jsonl").open("wb") as file:
        file.truncate(2_000_000_000)
    (tmp_path / "disk").mkdir()
    short = ("-c", SHORT_OF_MEMORY, "300")
    told = scribe(tmp_path, scripted_model, "answer", "in.jsonl", "--out", "out.jsonl", program=short)
    assert told.startswith("2 scribe: ") and "memory" in told
    assert len(told.splitlines()) == 1
