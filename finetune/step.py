"""A step of a pipeline: what it reads, what it makes, whether that is due, and its manifest once it is done."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scribe.plumbing.manifest import finish_step, why_due
from scribe.plumbing.progress import OnProgress, ignore_progress


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step says of its output."""

    counts: Mapping[str, Any] = field(default_factory=dict)
    models: Sequence[str] = ()
    """Ids of what answered or was trained."""
    seconds: float | None = None
    """Where a step took up the work of a killed run; else the time of this one."""


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """One step with all that it needs."""

    name: str
    """For `--only`."""
    kind: str
    """What the manifest calls it."""
    out: Path
    """The file or folder that it makes, whole or not at all."""
    inputs: Mapping[str, Path]
    settings: object
    make: Callable[[OnProgress], StepResult]
    """Makes `out`, or goes on with it."""
    work: Path | None = None
    """A folder to go on from, which is removed when the manifest is written."""

    @property
    def due(self) -> str | None:
        """Why it has to run, in a few words; None when it is done."""
        try:
            return why_due(self.out, self.kind, self.inputs, self.settings)
        except OSError as error:
            return f"{error.filename} is not there"

    def run(self, on_progress: OnProgress = ignore_progress) -> str:
        """Make the output if that is due, and return why it was; raises what `make` raises."""
        why = self.due or ""
        if why:
            began = time.monotonic()
            on_progress(self.name, 0, 0)
            result = self.make(on_progress)
            seconds = time.monotonic() - began if result.seconds is None else result.seconds
            finish_step(self.out, self.kind, self.inputs, self.settings, result.counts, seconds, result.models)
        if self.work:
            shutil.rmtree(self.work, ignore_errors=True)
        return why
