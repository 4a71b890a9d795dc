"""A model's file that is cut, overwritten or taken away while the model answers; and memory that does not suffice."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from data.pretrained.package import find_base_gguf
from data.pretrained.shipped import build_checked

ROOT = Path(__file__).parents[2]
ANSWERING = """
import sys
from scribe.backend import Sampling
from scribe.backends.llama import LlamaBackend
from scribe.messages import Message
backend = LlamaBackend(sys.argv[1], 512, 1)
for _ in range(2):
    said = backend.complete([Message("user", "What is a signal?")], Sampling(max_tokens=12))
    print(repr(said.text), backend.info, flush=True)
    sys.stdin.readline()
"""
SHORT_OF_MEMORY = """
import os, resource, sys
from scribe.backends.llama import LlamaBackend
from scribe.plumbing.errors import BackendError
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * os.sysconf("SC_PAGE_SIZE") + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    LlamaBackend(sys.argv[1], 4096, 1, parallel=int(sys.argv[3]))
except BackendError as error:
    print(error)
"""


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(4096)


def overwrite(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(b"\xff" * size)


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"GGUF another model")
    other.replace(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(find_base_gguf(), tmp_path_factory.mktemp("model") / "model.gguf"))


@pytest.mark.parametrize("harm", [cut, overwrite, replace, Path.unlink])
def test_what_happens_to_the_file_of_a_model_that_answers_changes_nothing_until_it_is_opened_again(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = Path(shutil.copy(find_base_gguf(), tmp_path / "model.gguf"))
    program = [sys.executable, "-c", ANSWERING, str(path)]
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    with subprocess.Popen(program, **how) as process:  # type: ignore[call-overload]
        before = process.stdout.readline()
        assert "sha256" in before
        harm(path)
        after, _ = process.communicate("\n\n", timeout=120)
    assert (process.returncode, after) == (0, before)


@pytest.mark.parametrize(
    ("megabytes", "parallel", "said"),
    [(40, 1, "cannot be loaded"), (400, 60, "set a smaller context or fewer at once")],
    ids=["for the weights", "for the conversations"],
)
def test_memory_that_does_not_suffice_is_one_error_that_says_what_to_do(
    model: Path, megabytes: int, parallel: int, said: str
) -> None:
    program = [sys.executable, "-c", SHORT_OF_MEMORY, str(model), str(megabytes << 20), str(parallel)]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]
    assert said in done.stdout and "alloc" in done.stdout
    assert "copy or export it again" not in done.stdout


def test_a_made_model_with_a_damaged_byte_is_made_again(tmp_path: Path) -> None:
    builds = []

    def build(partial: Path) -> None:
        builds.append(partial)
        partial.write_bytes(b"weights" * 1000)

    target = build_checked(tmp_path / "model.gguf", build)
    assert build_checked(target, build) == target and len(builds) == 1
    for damaged in (b"weights" * 999 + b"weighty", b"weights" * 500, b""):
        target.write_bytes(damaged)
        build_checked(target, build)
        assert target.read_bytes() == b"weights" * 1000
    assert len(builds) == 4


def test_a_made_model_without_the_note_of_its_hash_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"whoever put it there")
    build_checked(tmp_path / "model.gguf", lambda partial: partial.write_bytes(b"ours") and None)
    assert (tmp_path / "model.gguf").read_bytes() == b"ours"
