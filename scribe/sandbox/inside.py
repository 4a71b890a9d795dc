"""The program inside the sandbox: it is process 1, runs each test in a fresh process, and says what came of it.

It imports nothing of ours. Process 1 cannot be killed from within, and what it kills is gone: nothing of one test
lives on into the next. A test's process could lie about its own test, and about no other.
"""

import ast
import contextlib
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

WORK = Path("/work")
REPORT = 3
"""The file descriptor on which a test's process reports."""
LONGEST, SHOWN = 300, 120
"""Characters of a message, and of a value in one."""


def main() -> None:
    """Read the job from standard input; write a line of JSON for each test."""
    job = json.load(sys.stdin)
    for name in job["names"]:
        sys.stdout.write(json.dumps(run_case(name, job)) + "\n")
        sys.stdout.flush()


def run_case(name: str, job: dict[str, Any]) -> dict[str, Any]:
    """One test in its own process, in a work folder written anew."""
    lay_out(job["files"])
    report, report_end = os.pipe()
    output, output_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            become_test(report_end, output_end, job["limits"])
            report_case(name)
        finally:
            os._exit(1)
    os.close(report_end)
    os.close(output_end)
    reported, printed, status, late = watch(child, report, output, job["limits"])
    os.close(report)
    os.close(output)
    return {"name": name, **judge(reported, status, late), **cut(printed, job["limits"]["output"])}


def lay_out(files: dict[str, str]) -> None:
    """The work folder with these files and no others."""
    for path in WORK.iterdir():
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    for name, text in files.items():
        path = WORK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def become_test(report: int, output: int, limits: dict[str, Any]) -> None:
    """In the test's process: nothing to read, output into a pipe, no other file open, limits set for good."""
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    spare = [os.dup(each) for each in (null, output, output, report)]  # above 3, so that none is overwritten early
    for number, each in enumerate(spare):
        os.dup2(each, number)
    os.closerange(REPORT + 1, 1 << 10)
    os.set_inheritable(REPORT, False)
    for which, most in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["disk"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(which, (most, most))
    os.chdir(WORK)
    sys.path.insert(0, str(WORK))


def report_case(name: str) -> None:
    """Import the tests, run one, report on it; what it started is killed from outside."""
    reason, message = "passed", ""
    try:
        sys.modules["tests"] = module = type(sys)("tests")
        source = (WORK / "tests.py").read_text(encoding="utf-8")
        exec(compile(show_values(ast.parse(source, "tests.py")), "tests.py", "exec"), module.__dict__)
        getattr(module, name)()
    except MemoryError:
        reason = "memory"
    except AssertionError as error:
        reason, message = "failed", describe(error)
    except BaseException as error:
        reason, message = "error", describe(error)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os.write(REPORT, json.dumps({"reason": reason, "message": message}).encode())
    os._exit(0)


def show_values(tree: ast.Module) -> ast.Module:
    """Each `assert a == b` with no message of its own gets one that shows both values; a and b run once."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and node.msg is None and isinstance(node.test, ast.Compare):
            if len(node.test.ops) != 1:
                continue
            sign = ast.unparse(node.test).removeprefix(ast.unparse(node.test.left))
            sign = sign.removesuffix(ast.unparse(node.test.comparators[0])).strip()
            left, right = node.test.left, node.test.comparators[0]
            node.test.left = ast.NamedExpr(ast.Name("_left", ast.Store()), left)
            node.test.comparators = [ast.NamedExpr(ast.Name("_right", ast.Store()), right)]
            node.msg = ast.parse(f"f'{{_left!r:.{SHOWN}}} {sign} {{_right!r:.{SHOWN}}}'", mode="eval").body
    return ast.fix_missing_locations(tree)


def describe(error: BaseException) -> str:
    """The exception in a line or two: what it is and where, for an assertion the line of the test and its values."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith((str(WORK), "t"))]
    text = str(error)[:LONGEST]
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({place(error.filename, error.lineno)})"[:LONGEST]
    if not frames:
        return f"{type(error).__name__}: {text}"
    last = frames[-1]
    if isinstance(error, AssertionError) and last.filename == "tests.py":
        lines = (WORK / "tests.py").read_text(encoding="utf-8").splitlines()
        return "\n".join(each for each in (lines[(last.lineno or 1) - 1].strip()[:LONGEST], text) if each)
    return f"{type(error).__name__}: {text} ({place(last.filename, last.lineno)})"


def place(file: str | None, line: int | None) -> str:
    """A file of the package and a line."""
    return f"{(file or '?').removeprefix(f'{WORK}/')}, {line}"


def watch(child: int, report: int, output: int, limits: dict[str, Any]) -> tuple[bytes, bytes, int | None, bool]:
    """Read both pipes until the process ends or is late, then kill all that is left.

    Returns report and output, each a little more than may be kept, the exit status (None: killed by us), lateness.
    """
    texts = {report: bytearray(), output: bytearray()}
    end, status = time.monotonic() + limits["seconds"], None
    while time.monotonic() < end:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            status = code
            break
        drain(texts, 0.01, limits["output"])
    late = status is None
    kill_others()
    while drain(texts, 0.0, limits["output"]):
        pass
    return bytes(texts[report]), bytes(texts[output]), status, late


def drain(texts: dict[int, bytearray], seconds: float, most: int) -> bool:
    """Read once from each pipe that has something; whether one had."""
    read = False
    for pipe in select.select(list(texts), [], [], seconds)[0]:
        chunk = os.read(pipe, 1 << 16)
        read |= bool(chunk)
        texts[pipe] += chunk[: max(0, 4 * most + 4096 - len(texts[pipe]))]
    if not read and seconds:
        time.sleep(0.002)  # both are closed, and the process has not ended yet
    return read


def kill_others() -> None:
    """Kill every process but this one, again until there is none: some may have been about to fork."""
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            while os.waitpid(-1, 0):
                pass
        except ChildProcessError:
            return


def judge(reported: bytes, status: int | None, late: bool) -> dict[str, str]:
    """What the test's process said, if it ended as it should; else how it ended."""
    ended = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0
    if late or ended == signal.SIGXCPU or ended == signal.SIGKILL:
        return {"reason": "timeout", "message": ""}
    try:
        said = json.loads(reported)
        if status == 0 and said["reason"] in {"passed", "failed", "error", "memory"}:
            return {"reason": said["reason"], "message": str(said["message"])[: 4 * LONGEST]}
    except (ValueError, TypeError, LookupError):
        pass
    return {"reason": "ended", "message": signal.Signals(ended).name if ended else ""}


def cut(printed: bytes, most: int) -> dict[str, Any]:
    """What was printed, up to so many characters, and whether there was more."""
    text = printed.decode("utf-8", "replace")
    return {"output": text[:most], "cut": len(text) > most}


if __name__ == "__main__":
    main()
