"""Running a pipeline: the steps that are due, one after the other, in a folder that only one run at a time may use."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.table import Cell, Table, format_cell
from finetune.step import PipelineStep
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import lock, remove_partials
from scribe.plumbing.manifest import read_step
from scribe.plumbing.progress import OnProgress, ignore_progress

LOCK = ".run.lock"
HEAD = ("step", "made", "why", "seconds", "counts")


@dataclass(frozen=True, slots=True)
class StepRun:
    """A step's part in a run."""

    step: PipelineStep
    why: str
    """The reason why it had to run, empty if it was done."""
    seconds: float
    """In this run."""


def run_steps(
    steps: Sequence[PipelineStep], folder: Path, on_progress: OnProgress = ignore_progress
) -> tuple[StepRun, ...]:
    """Run what is due of these steps; the same call goes on after a kill.

    Raises what a step raises, and UsageError for a folder that another run is using or a step that cannot begin.
    """
    with claim(folder):
        return tuple(_run(step, on_progress) for step in steps)


def choose_steps(steps: Sequence[PipelineStep], only: str = "", until: str = "") -> tuple[PipelineStep, ...]:
    """The steps that `--only` or `--until` leaves. Raises UsageError for a name that no step has."""
    if only and until:
        raise UsageError("--only and --until are two different things; give one of them")
    names = [step.name for step in steps]
    if (name := only or until) and name not in names:
        raise UsageError(f"there is no step {name!r} here; there are: {', '.join(names)}")
    if only:
        return (steps[names.index(only)],)
    return tuple(steps[: names.index(until) + 1] if until else steps)


@contextlib.contextmanager
def claim(folder: Path) -> Iterator[None]:
    """The folder for this run alone, without what a killed one left half-written. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LOCK).touch()
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}; give another --out") from error
    with lock(folder / "run", f"another run is working in {folder}; wait for it, or give another --out"):
        remove_partials(folder)
        yield


def _run(step: PipelineStep, on_progress: OnProgress) -> StepRun:
    """Run a step. Raises UsageError if what an earlier step makes, or a base model, is not there."""
    if missing := [path for path in step.inputs.values() if not path.exists()]:
        raise UsageError(f"the step {step.name} needs {missing[0]}, which is not there; run the steps before it first")
    began = time.monotonic()

    def tell(part: str, done: int, total: int) -> None:
        """Some steps tell of several parts."""
        on_progress(step.name if part in (step.name, step.kind) else f"{step.name}: {part}", done, total)

    why = step.run(tell)
    return StepRun(step, why, time.monotonic() - began if why else 0.0)


def tabulate_run(runs: Sequence[StepRun]) -> Table:
    """What was made, from the manifests: seconds and the counts that say most."""
    rows: list[tuple[Cell, ...]] = []
    for each in runs:
        made = read_step(each.step.out)
        seconds, counts = (made.seconds, made.counts) if made else (None, {})
        told = ", ".join(
            f"{name} {format_cell(value)}" for name, value in counts.items() if isinstance(value, int | float)
        )
        rows.append((each.step.name, each.step.out.name, each.why or "was done", seconds, told))
    minutes = sum(float(row[3] or 0) for row in rows) / 60
    return Table("pipeline", "The pipeline", HEAD, rows, note=f"{minutes:.1f} minutes in all these steps.")
