"""What a run was: beside the output, for whoever wonders later where its answers come from.

`OUT.manifest.json` holds the input and its hash, the settings and what of them counts, the model, the fingerprints'
parts, counts by status and totals over the whole output, and one entry for each run that wrote to it.
"""

import contextlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from app.batch.kept import Kept
from scribe.trajectory import Usage

State = Literal["running", "finished", "interrupted", "stopped", "killed"]
"""stopped: by too many errors, or by one that was not a row's. killed: it could not say so itself."""

PACKAGES = (
    "scribe-campus",
    "llama-cpp-python",
    "llguidance",
    "numpy",
    "tokenizers",
    "threadpoolctl",
    "torch",
    "transformers",
    "sentence-transformers",
    "ray",
)
"""Those whose versions are kept, as far as they are installed. The last four: of other backends and embedders."""
_CREDENTIALS = re.compile(r"(?<=//)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: when (ISO 8601, UTC), how, how long in seconds, and how many rows it wrote."""

    command: str
    engine: str
    parallel: int
    started: str
    ended: str | None = None
    seconds: float = 0.0
    answered: int = 0
    state: State = "running"


def beside(out: Path) -> Path:
    """Where the manifest of an output lies."""
    return out.with_name(f"{out.name}.manifest.json")


def begun(command: Sequence[str], engine: str, parallel: int) -> Run:
    """A run that begins now. Passwords in addresses are left out."""
    return Run(_CREDENTIALS.sub("", " ".join(command)), engine, parallel, _now())


def ended(run: Run, state: State, seconds: float, answered: int) -> Run:
    """The same run, over now."""
    return replace(run, state=state, ended=_now(), seconds=round(seconds, 3), answered=answered)


def earlier(path: Path) -> Mapping[str, Any]:
    """The manifest that is there, or nothing: a lost one costs no answer."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    parts = {"settings": dict, "fingerprint": dict, "runs": list}
    whole = isinstance(content, dict) and all(isinstance(content.get(name), kind) for name, kind in parts.items())
    if not whole or not all(_is_run(run) for run in content["runs"]):
        return {}
    # Whoever reads this holds the output's lock, so a run that seems to go on was killed.
    runs = [{**run, "state": "killed"} if run.get("state") == "running" else run for run in content["runs"]]
    return {**content, "runs": runs}


def _is_run(run: Any) -> bool:
    return isinstance(run, dict) and isinstance(run.get("seconds", 0), int | float)


def totals(rows: Iterable[Kept], wanted: int) -> dict[str, Any]:
    """Counts by status, how many of the `wanted` rows are left, and the sum of what all took."""
    kept = list(rows)
    by_status = Counter(row.status for row in kept)
    usage = sum((row.usage for row in kept), Usage())
    counts = {status: by_status[status] for status in ("ok", "unresolved", "error")}
    return {"counts": {"rows": wanted, **counts, "left": wanted - len(kept)}, "usage": asdict(usage)}


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest whole or not at all. Raises OSError."""
    partial = path.with_name(f"{path.name}.partial")
    text = json.dumps(content, ensure_ascii=False, indent=2)
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.write(_CREDENTIALS.sub("", text) + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
