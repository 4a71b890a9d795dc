"""`scribe train`, killed at random moments again and again, then let run to its end.

    python -m finetune.pipeline.kills --kills 20

The pipeline is the tiny one, the program the real one. First it runs once without a kill, and the times of its steps
are noted; then, in another folder, it is killed (`kill -9`) at moments drawn evenly over that time, and started again
each time; in a further folder if it was faster than its kills. At the end every file must hold the same bytes, but for
what tells of time: manifests and loss curves.
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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from finetune import manifest
from finetune.pipeline import config, tiny
from finetune.pipeline.steps import Place, Step, steps
from scribe.errors import BackendError

LONGEST = 600.0
"""Seconds for one run to get as far as it is to be killed."""
_OF_TIME = (".manifest.json", "curve.csv", "curve.png", ".lock")


@dataclass(frozen=True, slots=True)
class Found:
    """kills: how often a run was killed, each time in the step of `within`; rounds: how many runs that took.

    files: how many were compared; differing: those that are not the same bytes, and steps that are not done. seconds:
    of it all. code: of the last run.
    """

    kills: int
    within: tuple[str, ...]
    rounds: int
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
    """Run the tiny pipeline whole, and again killed `kills` times; what differs.

    A run that is done before its kill is compared too, and the remaining kills go to another one, this one at half the
    time. Raises BackendError if the program fails without being killed.
    """
    began, draw = time.monotonic(), random.Random(seed)
    pipeline = tiny.write_config(folder / "tiny.toml", tiny.make_model(folder / "base"))
    lasting = _timed(pipeline, folder / "whole")
    within: list[str] = []
    rounds = [folder / "broken-1"]
    for moment in moments(lasting, kills, draw):
        while len(within) < kills:
            if not any(step.due for step in _steps(pipeline, rounds[-1])):
                rounds.append(folder / f"broken-{len(rounds) + 1}")
            _say(f"kill {len(within) + 1} of {kills}: {moment.after:.2f} s into {moment.step}")
            if caught := _killed(pipeline, rounds[-1], moment, list(lasting)):
                within += caught
                break
            moment = Moment(moment.step, moment.after / 2)
    _say("the last run")
    code = Running(pipeline, rounds[-1]).end()
    names, differing = [], []
    for each in rounds:
        found = compared(folder / "whole", each)
        names += found[0]
        differing += [f"{each.name}/{name}" for name in found[1]]
        differing += [f"{each.name}: {step.name}, {step.due}" for step in _steps(pipeline, each) if step.due]
    return Found(len(within), tuple(within), len(rounds), len(names), tuple(differing), time.monotonic() - began, code)


def moments(lasting: Mapping[str, float], kills: int, draw: random.Random) -> list[Moment]:
    """Moments drawn evenly over the seconds of all steps, in order."""
    return [_moment(lasting, at) for at in sorted(draw.uniform(0, sum(lasting.values())) for _ in range(kills))]


def _moment(lasting: Mapping[str, float], at: float) -> Moment:
    *before, last = lasting.items()
    for step, seconds in before:
        if at <= seconds:
            return Moment(step, at)
        at -= seconds
    return Moment(last[0], min(at, last[1]))


def _steps(pipeline: Path, folder: Path) -> tuple[Step, ...]:
    return steps(config.load(pipeline), Place.of(folder))


def compared(whole: Path, broken: Path) -> tuple[list[str], list[str]]:
    """The files of both folders that must be the same, and those that are not, or are in one only."""
    one, other = _files(whole), _files(broken)
    names = sorted({*one, *other})
    return names, [name for name in names if name not in one or one.get(name) != other.get(name)]


def _files(folder: Path) -> dict[str, str]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(_OF_TIME))
    return {path.relative_to(folder).as_posix(): manifest.digest(path) for path in paths}


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
    print(f"{found.kills} kills -9 (in {counted}), {found.rounds} whole runs, {found.seconds:.0f} s")
    print(f"{found.files} files beside those of one without kills: {', '.join(found.differing) or 'all the same'}")
    sys.exit(0 if found.good else 1)


if __name__ == "__main__":
    main()
