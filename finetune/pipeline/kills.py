"""`scribe train`, killed at random moments again and again, then let run to its end.

    python -m finetune.pipeline.kills --kills 20

The pipeline is the tiny one, the program the real one. First it runs once without a kill, and the times of its steps
are noted; then, in another folder, it is killed (`kill -9`) at moments drawn evenly over that time, and started again
each time. At the end every file must hold the same bytes, but for what tells of time: manifests and loss curves.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finetune import manifest
from finetune.pipeline import config, tiny
from finetune.pipeline.steps import Place, steps
from scribe.errors import BackendError

LONGEST = 600.0
"""Seconds for one run to get as far as it is to be killed."""
_OF_TIME = (".manifest.json", "curve.csv", "curve.png", ".lock")


@dataclass(frozen=True, slots=True)
class Found:
    """kills: runs that were killed, each in the step of `within`. differing: files that are not the same bytes.

    seconds: of it all. code: of the last run.
    """

    kills: int
    within: tuple[str, ...]
    files: int
    differing: tuple[str, ...]
    seconds: float
    code: int

    @property
    def good(self) -> bool:
        """Whether nothing differs."""
        return not self.differing and self.files > 0 and self.code == 0


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so many seconds after the step began."""

    step: str
    after: float


class Running:
    """The program at work; it says on standard error which step begins."""

    def __init__(self, pipeline: Path, out: Path) -> None:
        self.begun: dict[str, float] = {}
        self._changed = threading.Condition()
        command = [sys.executable, "-m", "app.cli", "train", str(pipeline), "--out", str(out)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if line.rstrip().endswith(" ...") and ":" not in line:
                with self._changed:
                    self.begun.setdefault(line.removesuffix(" ...\n"), time.monotonic())
                    self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, names: Sequence[str]) -> bool:
        """Wait until one of these steps begins; False if the program ends before."""
        until = time.monotonic() + LONGEST
        with self._changed:
            while not set(names) & set(self.begun):
                if not self._reader.is_alive() or self.process.poll() is not None:
                    return False
                if time.monotonic() > until:
                    self.process.kill()
                    raise BackendError(f"no step began within {LONGEST:.0f} s; is the machine busy?")
                self._changed.wait(0.2)
        return True

    def end(self) -> int:
        """Wait for its end; the exit code."""
        code = self.process.wait()
        self._reader.join()
        return code

    def kill(self) -> bool:
        """Kill it; False if it was done before."""
        self.process.send_signal(signal.SIGKILL)
        return self.end() == -signal.SIGKILL


def killed_and_resumed(folder: Path, kills: int, seed: int = 0) -> Found:
    """Run the tiny pipeline whole, and another time killed `kills` times, in a folder; what differs.

    Raises BackendError if the program fails without being killed.
    """
    began = time.monotonic()
    pipeline = tiny.write_config(folder / "tiny.toml", tiny.make_model(folder / "base"))
    whole, broken = folder / "whole", folder / "broken"
    within: list[str] = []
    lasting = _timed(pipeline, whole)
    for number, moment in enumerate(moments(lasting, kills, random.Random(seed)), start=1):
        _say(f"kill {number} of {kills}: {moment.after:.2f} s into {moment.step}")
        within += _killed(pipeline, broken, moment, list(lasting))
    _say("the last run")
    code = Running(pipeline, broken).end()
    names, differing = compared(whole, broken)
    differing += _not_done(pipeline, broken)
    return Found(len(within), tuple(within), len(names), tuple(differing), time.monotonic() - began, code)


def moments(lasting: dict[str, float], kills: int, random: random.Random) -> list[Moment]:
    """Moments drawn evenly over all steps' time, in order."""
    total, found = sum(lasting.values()), []
    for at in sorted(random.uniform(0, total) for _ in range(kills)):
        for step, seconds in lasting.items():
            if at <= seconds:
                found.append(Moment(step, at))
                break
            at -= seconds
    return found


def compared(whole: Path, broken: Path) -> tuple[list[str], list[str]]:
    """The files of both folders that must be the same, and those that are not, or are in one only."""
    one, other = _files(whole), _files(broken)
    names = sorted({*one, *other})
    return names, [name for name in names if name not in one or one.get(name) != other.get(name)]


def _files(folder: Path) -> dict[str, str]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(_OF_TIME))
    return {path.relative_to(folder).as_posix(): manifest.digest(path) for path in paths}


def _not_done(pipeline: Path, folder: Path) -> list[str]:
    """Steps that would still have to run."""
    return [f"{step.name}: {step.due}" for step in steps(config.load(pipeline), Place.of(folder)) if step.due]


def _timed(pipeline: Path, out: Path) -> dict[str, float]:
    """Seconds of each step of a run that nobody kills."""
    _say("the run that nobody kills")
    run = Running(pipeline, out)
    if run.end():
        raise BackendError(f"`scribe train {pipeline}` failed; run it to see why")
    begun = [*run.begun.items(), ("", time.monotonic())]
    return {name: max(begun[at + 1][1] - when, 0.01) for at, (name, when) in enumerate(begun[:-1])}


def _killed(pipeline: Path, out: Path, moment: Moment, order: Sequence[str]) -> list[str]:
    """Kill a run at a moment, or as long after the step that it begins with, if that is a later one.

    Returns the step that was under way, nothing if all was done before.
    """
    run = Running(pipeline, out)
    if not run.wait_for(order[order.index(moment.step) :]):
        return []
    time.sleep(moment.after)
    return list(run.begun)[-1:] if run.kill() else []


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Do it and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed_and_resumed(Path(folder), given.kills, given.seed)
    counted = ", ".join(f"{name} {found.within.count(name)}" for name in dict.fromkeys(found.within))
    print(f"{found.kills} kills -9 (in {counted}), {found.seconds:.0f} s")
    print(f"{found.files} files beside those of a run without kills: {', '.join(found.differing) or 'all the same'}")
    sys.exit(0 if found.good else 1)


if __name__ == "__main__":
    main()
