"""Running a pipeline: the steps that are due, one after the other, in a folder that only one run at a time may use."""

import contextlib
import fcntl
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.table import Cell, Table, format_cell
from finetune import manifest, whole
from finetune.manifest import Tell, quiet
from finetune.pipeline.steps import Step, named
from scribe.errors import UsageError

LOCK = ".lock"
HEAD = ("step", "made", "why", "seconds", "counts")


@dataclass(frozen=True, slots=True)
class Ran:
    """A step's part in a run. why: the reason why it had to run, empty if it was done. seconds: in this run."""

    step: Step
    why: str
    seconds: float


def run(all_steps: Sequence[Step], folder: Path, tell: Tell = quiet) -> tuple[Ran, ...]:
    """Run what is due of these steps; the same call goes on after a kill.

    Raises what a step raises, and UsageError for a folder that another run is using or a step that cannot begin.
    """
    with claimed(folder):
        return tuple(_one(step, tell) for step in all_steps)


def chosen(all_steps: Sequence[Step], only: str = "", until: str = "") -> tuple[Step, ...]:
    """The steps that `--only` or `--until` leaves. Raises UsageError for a name that no step has."""
    if only and until:
        raise UsageError("--only and --until are two different things; give one of them")
    names = [step.name for step in all_steps]
    if (name := only or until) and name not in names:
        raise UsageError(f"there is no step {name!r} here; there are: {named(all_steps)}")
    if only:
        return (all_steps[names.index(only)],)
    return tuple(all_steps[: names.index(until) + 1] if until else all_steps)


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder for this run alone, without what a killed one left half-written. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("a")
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}; give another --out") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"another run is working in {folder}; wait for it, or give another --out") from error
        whole.clear(folder)
        yield


def _one(step: Step, tell: Tell) -> Ran:
    _check_inputs(step)
    why = step.due
    if why is None:
        return Ran(step, "", 0.0)
    began = time.monotonic()
    tell(step.name, 0, 0)
    step.run(lambda part, done, total: tell(_called(step, part), done, total))
    return Ran(step, why, time.monotonic() - began)


def _called(step: Step, part: str) -> str:
    """A part of a step as it is shown: some steps tell of several."""
    return step.name if part in (step.name, step.kind) else f"{step.name}: {part}"


def _check_inputs(step: Step) -> None:
    """Raise UsageError if what an earlier step makes, or a base model, is not there."""
    try:
        missing = [str(path) for path in step.inputs().values() if not path.exists()]
    except OSError as error:
        missing = [str(error.filename)]
    if missing:
        raise UsageError(f"the step {step.name} needs {missing[0]}, which is not there; run the steps before it first")


def table(ran: Sequence[Ran]) -> Table:
    """What was made, from the manifests: seconds and the counts that say most."""
    rows: list[tuple[Cell, ...]] = []
    for each in ran:
        made = manifest.read(each.step.out)
        seconds, counts = (made.seconds, made.counts) if made else (None, {})
        numbers = {name: value for name, value in counts.items() if isinstance(value, int | float)}
        told = ", ".join(f"{name} {format_cell(value)}" for name, value in numbers.items())
        rows.append((each.step.name, each.step.out.name, each.why or "was done", seconds, told))
    minutes = sum(float(row[3] or 0) for row in rows) / 60
    return Table("pipeline", "The pipeline", HEAD, rows, note=f"{minutes:.1f} minutes in all these steps.")
