"""Nobody gets out of the sandbox, and what it says of tests is so."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from scribe.sandbox.result import CaseResult, SandboxLimits, SandboxMissing, SuiteResult
from scribe.sandbox.running import run_suite
from scribe.sandbox.syscalls import build_filter
from tests.scribe.sandbox.attempts import ATTEMPTS, write_tests

walled = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")
SECRET = "only-on-the-machine"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of the machine, with a secret, something to import, and a secret in the environment."""
    folder = tmp_path_factory.mktemp("machine")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    (folder / "planted.py").write_text("", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRIBE_CANARY", SECRET)
        yield folder


@pytest.fixture(scope="module")
def outcome(machine: Path) -> dict[str, CaseResult]:
    """What came of every attempt, all made in one sandbox one after the other."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        tests = write_tests(
            {
                "SECRET": str(machine / "secret.txt"),
                "FOLDER": str(machine),
                "PID": str(os.getpid()),
                "PORT": str(server.getsockname()[1]),
            }
        )
        result = run_suite({}, tests, SandboxLimits(cpu_seconds=1, seconds=4, total_seconds=300, total_memory=1 << 30))
    return {case.name.removeprefix("test_"): case for case in result.cases}


@walled
@pytest.mark.timeout(330)
@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_escape_comes_to_nothing(name: str, outcome: dict[str, CaseResult]) -> None:
    case = outcome[name]
    said = f"{case.reason} {case.message} {case.output}"
    assert "OUT" not in case.output
    assert SECRET not in said
    assert case.reason not in {"passed", "unreached"}
    assert re.search(ATTEMPTS[name][1], said), said


@walled
@pytest.mark.timeout(330)
def test_the_machine_is_as_it_was(machine: Path, outcome: dict[str, CaseResult]) -> None:
    assert (machine / "secret.txt").read_text(encoding="utf-8") == SECRET
    assert sorted(path.name for path in machine.iterdir()) == ["planted.py", "secret.txt"]
    assert not [path for path in ("/evil", "/usr/lib/evil", "/dev/shm/evil") if Path(path).exists()]


def run(tests: str, files: dict[str, str] | None = None, limits: SandboxLimits = SandboxLimits()) -> SuiteResult:
    return run_suite(files or {}, tests, limits)


@walled
def test_results_name_what_failed_and_show_its_values() -> None:
    tests = (
        "from shop.sums import double\n"
        "def test_right():\n    assert double(2) == 4\n"
        "def test_wrong():\n    assert double(3) == 7\n"
        "def test_raises():\n    double(None)\n"
    )
    result = run(tests, {"shop/__init__.py": "", "shop/sums.py": "def double(x):\n    print(x)\n    return x + x\n"})
    right, wrong, raises = result.cases
    assert (right.reason, right.output) == ("passed", "2\n")
    assert (wrong.reason, wrong.message) == ("failed", "assert double(3) == 7\n6 == 7")
    assert raises.reason == "error"
    assert raises.message.startswith("TypeError: ")
    assert raises.message.endswith("(shop/sums.py, 3)")
    assert not result.passed
    assert result.failed_names == ("test_wrong", "test_raises")


@walled
def test_code_that_is_no_python_fails_every_test_by_file_and_line() -> None:
    result = run("from a.b import f\ndef test_f():\n    f()\n", {"a/b.py": "def f(:\n"})
    assert result.cases[0].message == "SyntaxError: invalid syntax (a/b.py, 1)"


@walled
def test_a_test_finds_nothing_that_an_earlier_one_left() -> None:
    tests = (
        "import os, time\n"
        "def test_leaves():\n"
        "    open('left', 'w').close()\n    open('tests.py', 'w').close()\n"
        "    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
        "            time.sleep(1)\n            open('late', 'w').close()\n        os._exit(0)\n"
        "def test_finds_nothing():\n    time.sleep(2)\n    assert sorted(os.listdir('.')) == ['tests.py']\n"
    )
    assert run(tests).passed


@walled
def test_an_early_timeout_leaves_later_tests_their_turn() -> None:
    result = run(
        "def test_loops():\n    while True: pass\ndef test_ends():\n    pass\n", limits=SandboxLimits(cpu_seconds=1)
    )
    assert [case.reason for case in result.cases] == ["timeout", "passed"]
    assert result.timed_out


@walled
def test_a_run_has_an_end_even_if_each_test_keeps_within_its_own() -> None:
    tests = "import time\n" + "".join(f"def test_{n}():\n    time.sleep(3)\n" for n in range(4))
    result = run(tests, limits=SandboxLimits(total_seconds=5))
    assert result.timed_out
    assert result.cases[-1].reason == "unreached"


@walled
def test_if_the_caller_is_killed_nothing_of_the_run_lives_on() -> None:
    code = "from scribe.sandbox.running import run_suite\nrun_suite({}, 'import time\\ndef test_x(): time.sleep(9)')"
    with subprocess.Popen([sys.executable, "-c", code]) as caller:
        end = time.monotonic() + 60
        while not (inside := sandboxed(caller.pid)) and time.monotonic() < end:
            time.sleep(0.1)
        caller.kill()
    assert inside
    gone, alive = psutil.wait_procs(inside, timeout=8)
    assert gone
    assert not alive


def sandboxed(pid: int) -> list[psutil.Process]:
    """All processes below one, once a test runs among them."""
    below = psutil.Process(pid).children(recursive=True)
    return below if any("/python/bin/" in "".join(each.cmdline()[:1]) for each in below) else []


@walled
def test_long_output_is_cut_and_that_is_said() -> None:
    result = run("def test_talks():\n    print('word ' * 5000)\n", limits=SandboxLimits(output=100))
    assert result.output_cut
    assert result.cases[0].output == "word " * 20
    assert result.passed


@walled
def test_too_much_memory_is_said() -> None:
    result = run("def test_hoards():\n    bytearray(1 << 32)\n")
    assert result.out_of_memory
    assert result.cases[0].reason == "memory"


@walled
def test_threads_and_pipes_within_the_limits_work() -> None:
    tests = (
        "import asyncio, threading, tempfile, json, datetime, decimal, sqlite3, random\n"
        "def test_works():\n    seen = []\n    t = threading.Thread(target=seen.append, args=(1,))\n"
        "    t.start(); t.join()\n"
        "    assert asyncio.run(asyncio.sleep(0, 2)) == 2\n    assert seen == [1]\n"
    )
    result = run(tests)
    assert result.passed, result.cases


def test_without_bubblewrap_nothing_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxMissing, match="apt-get install bubblewrap"):
        run("def test_x():\n    pass\n")


def test_a_bubblewrap_that_may_make_no_walls_runs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    (tmp_path / "setpriv").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxMissing, match="No permissions to create new namespace"):
        run("def test_x():\n    pass\n")


def test_an_unknown_processor_is_refused() -> None:
    with pytest.raises(SandboxMissing, match="riscv64"):
        build_filter("riscv64")
