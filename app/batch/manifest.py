"""What a run was: beside the output, for whoever wonders later where its answers come from.

`OUT.manifest.json` holds the input and its hash, the settings and what of them counts, the model, the fingerprints'
parts, counts by status and totals over the whole output, and one entry for each run that wrote to it.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from app.batch.output import BrokenOff, Output
from scribe.plumbing.manifest import read_manifest, write_manifest
from scribe.trajectory import Usage

State = Literal["running", "finished", "interrupted", "stopped", "killed"]
"""stopped: by too many errors, or by one that was not a row's. killed: it could not say so itself."""
_CREDENTIALS = re.compile(r"(?<=//)[^/@\s\"]+@")


def write_batch_manifest(output: Output, head: Mapping[str, Any], runs: list[dict[str, Any]], wanted: int) -> None:
    """Write it as of now, without passwords in addresses. Raises BrokenOff.

    head: what does not change in it. runs: all that wrote to the output, this one last. wanted: rows of the input.
    """
    kept = output.rows.values()
    counts = Counter(row.status for row in kept)
    by_status = {status: counts[status] for status in ("ok", "unresolved", "error")}
    content = {
        **head,
        "counts": {"rows": wanted, **by_status, "left": wanted - len(kept)},
        "usage": asdict(sum((row.usage for row in kept), Usage())),
        "started": runs[0]["started"],
        "ended": runs[-1]["ended"],
        "seconds": round(sum(run["seconds"] for run in runs), 3),
        "runs": runs,
    }
    try:
        write_manifest(output.path, json.loads(_CREDENTIALS.sub("", json.dumps(content))))
    except OSError as error:
        raise BrokenOff(f"the manifest of {output.path} cannot be written: {error.strerror}") from error


def read_earlier(out: Path) -> dict[str, Any]:
    """The manifest that is there, or nothing: a lost one costs no answer."""
    content = read_manifest(out)
    # Whoever reads this holds the output's lock, so a run that seems to go on was killed.
    for run in content.get("runs", []):
        run["state"] = "killed" if run["state"] == "running" else run["state"]
    return content
