"""What a run was: beside the output, for whoever wonders later where its answers come from.

`OUT.manifest.json` holds the input and its hash, the settings and what of them counts, the model, the fingerprints'
parts, counts by status and totals over the whole output, and one entry for each run that wrote to it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app.batch.output import BrokenOff, KeptRow, Output
from scribe.plumbing.manifest import format_now, read_manifest, write_manifest
from scribe.trajectory import Usage

State = Literal["running", "finished", "interrupted", "stopped", "killed"]
"""stopped: by too many errors, or by one that was not a row's. killed: it could not say so itself."""
_CREDENTIALS = re.compile(r"(?<=//)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class BatchRun:
    """One run of the command: when (ISO 8601, UTC), how, how long in seconds, and how many rows it wrote."""

    command: str
    engine: str
    parallel: int
    started: str
    ended: str | None = None
    seconds: float = 0.0
    answered: int = 0
    state: State = "running"

    @classmethod
    def begin(cls, command: Sequence[str], engine: str, parallel: int) -> "BatchRun":
        """A run that begins now."""
        return cls(" ".join(command), engine, parallel, format_now())

    def end(self, state: State, seconds: float, answered: int) -> "BatchRun":
        """The same run, over now."""
        return replace(self, state=state, ended=format_now(), seconds=round(seconds, 3), answered=answered)


@dataclass(frozen=True, slots=True)
class ManifestWriter:
    """Keeps the manifest of a run: what does not change in it, and the manifest before it."""

    head: Mapping[str, Any]
    before: Mapping[str, Any]

    def write(self, run: BatchRun, output: Output, rows: int) -> None:
        """Write it as of now, without passwords in addresses. Raises BrokenOff."""
        runs = [*self.before.get("runs", []), asdict(run)]
        spent = sum(float(each.get("seconds", 0)) for each in runs)
        times = {"started": runs[0].get("started"), "ended": run.ended, "seconds": round(spent, 3)}
        content = {**self.head, **count_rows(output.rows.values(), rows), **times, "runs": runs}
        try:
            write_manifest(output.path, _hide_credentials(content))
        except OSError as error:
            raise BrokenOff(f"the manifest of {output.path} cannot be written: {error.strerror}") from error


def read_earlier(out: Path) -> Mapping[str, Any]:
    """The manifest that is there, or nothing: a lost one costs no answer."""
    content = read_manifest(out)
    parts = {"settings": dict, "fingerprint": dict, "runs": list}
    if not all(isinstance(content.get(name), kind) for name, kind in parts.items()):
        return {}
    if not all(isinstance(run, dict) and isinstance(run.get("seconds", 0), int | float) for run in content["runs"]):
        return {}
    # Whoever reads this holds the output's lock, so a run that seems to go on was killed.
    runs = [{**run, "state": "killed"} if run.get("state") == "running" else run for run in content["runs"]]
    return {**content, "runs": runs}


def count_rows(rows: Iterable[KeptRow], wanted: int) -> dict[str, Any]:
    """Counts by status, how many of the `wanted` rows are left, and the sum of what all took."""
    kept = list(rows)
    by_status = Counter(row.status for row in kept)
    usage = sum((row.usage for row in kept), Usage())
    counts = {status: by_status[status] for status in ("ok", "unresolved", "error")}
    return {"counts": {"rows": wanted, **counts, "left": wanted - len(kept)}, "usage": asdict(usage)}


def _hide_credentials(content: Any) -> Any:
    match content:
        case str():
            return _CREDENTIALS.sub("", content)
        case dict():
            return {key: _hide_credentials(value) for key, value in content.items()}
        case list() | tuple():
            return [_hide_credentials(each) for each in content]
    return content
