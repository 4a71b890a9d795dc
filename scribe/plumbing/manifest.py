"""What a file or folder was made from, and how: `OUT.manifest.json` beside it, and whether it must be made again.

The manifest of a step is written last. So a step whose manifest is there, and agrees with the inputs, the settings and
the output as they are now, is done; any other is due, and goes on from what it has written itself.
"""

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from scribe.plumbing.files import hash_path, write_bytes

PACKAGES = (
    *("scribe-campus", "torch", "transformers", "tokenizers", "sentence-transformers", "peft", "bitsandbytes", "gguf"),
    *("llama-cpp-python", "llguidance", "threadpoolctl", "numpy", "rapidfuzz", "scikit-learn", "ray"),
)
"""Those whose versions change what is made."""


@dataclass(frozen=True, slots=True)
class StepManifest:
    """A finished step: sha256 of inputs and output, settings as JSON holds them, wall time, and what answered.

    counts: whatever the step counted, by name. models: ids of what answered or was trained. finished: ISO 8601 in UTC.
    """

    step: str
    inputs: Mapping[str, str]
    settings: Mapping[str, Any]
    counts: Mapping[str, Any]
    seconds: float
    models: Sequence[str]
    versions: Mapping[str, str]
    output: str
    finished: str


def manifest_path(out: Path) -> Path:
    """Where the manifest of an output, a file or a folder, lies."""
    return out.with_name(f"{out.name}.manifest.json")


def write_manifest(out: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest of an output whole or not at all. Raises OSError."""
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_bytes(manifest_path(out), text.encode("utf-8", "replace"))  # a file's name may be no UTF-8


def read_manifest(out: Path) -> dict[str, Any]:
    """The manifest of an output; empty where there is none that can be read, since a lost one costs no result."""
    try:
        content = json.loads(manifest_path(out).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def finish_step(
    out: Path,
    step: str,
    inputs: Mapping[str, Path],
    settings: object,
    counts: Mapping[str, Any],
    seconds: float,
    models: Sequence[str] = (),
) -> None:
    """Write that the step is done; call it when `out` lies there whole. Raises OSError if a path is missing."""
    hashes = {name: hash_path(path) for name, path in inputs.items()}
    how, many = to_plain(settings), to_plain(counts)
    took, now = round(seconds, 3), format_now()
    manifest = StepManifest(step, hashes, how, many, took, tuple(models), list_versions(), hash_path(out), now)
    write_manifest(out, asdict(manifest))


def read_step(out: Path) -> StepManifest | None:
    """The manifest of a step's output, or None where there is none that can be read."""
    content = read_manifest(out)
    try:
        return StepManifest(**{field.name: content[field.name] for field in fields(StepManifest)})
    except KeyError:
        return None


def why_due(out: Path, step: str, inputs: Mapping[str, Path], settings: object) -> str | None:
    """Why the step has to run, in a few words; None when `out` is what it makes of these inputs and settings."""
    made = read_step(out)
    if made is None or made.step != step:
        return "it has not been made"
    if not out.exists() or hash_path(out) != made.output:
        return f"{out.name} is not what was made"
    if set(inputs) != set(made.inputs):
        return "it was made from other inputs"
    changed = [name for name, path in inputs.items() if not path.exists() or hash_path(path) != made.inputs[name]]
    if changed:
        return f"{', '.join(changed)} changed"
    now = to_plain(settings)
    differing = [name for name in sorted({*now, *made.settings}) if now.get(name) != made.settings.get(name)]
    return f"settings changed: {', '.join(differing)}" if differing else None


def to_plain(settings: object) -> dict[str, Any]:
    """Settings as JSON holds them: a dataclass or a mapping, paths as text, tuples as lists."""
    values = asdict(settings) if is_dataclass(settings) and not isinstance(settings, type) else settings
    content: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return content


def list_versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Python's version, and that of each of these packages as far as it is installed."""
    versions = {"python": platform.python_version()}
    for name in packages:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def format_now() -> str:
    """The time in UTC, as a manifest holds it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
