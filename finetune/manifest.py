"""What a step of the pipeline made, from what, and how: `OUT.manifest.json` beside its output.

The manifest is written last. So a step whose manifest is there, and agrees with the inputs, the settings and the
output as they are now, is done; any other is run again, and goes on from what it has written itself.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from finetune.whole import written
from scribe.plumbing.files import hash_file
from scribe.plumbing.manifest import list_versions
from scribe.plumbing.progress import OnProgress, ignore_progress

Tell = OnProgress
quiet = ignore_progress
_PACKAGES = (
    "scribe-campus",
    "torch",
    "transformers",
    "peft",
    "bitsandbytes",
    "gguf",
    "llama-cpp-python",
    "numpy",
    "rapidfuzz",
    "scikit-learn",
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A finished step. `inputs` and `output` are sha256; `finished` is ISO 8601 in UTC, `seconds` wall time.

    settings: as JSON holds them. counts: whatever the step counted, numbers by name. models: ids of what answered or
    was trained.
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


def beside(out: Path) -> Path:
    """Where the manifest of an output, a file or a folder, lies."""
    return out.with_name(f"{out.name}.manifest.json")


def finish(
    out: Path,
    step: str,
    inputs: Mapping[str, Path],
    settings: object,
    counts: Mapping[str, Any],
    seconds: float,
    models: Sequence[str] = (),
) -> Manifest:
    """Write that the step is done; call it when `out` lies there whole. Raises OSError if a path is missing."""
    manifest = Manifest(
        step,
        {name: digest(path) for name, path in inputs.items()},
        plain(settings),
        plain(counts),
        round(seconds, 3),
        tuple(models),
        list_versions(_PACKAGES),
        digest(out),
        datetime.now(UTC).isoformat(timespec="seconds"),
    )
    with written(beside(out)) as partial:
        partial.write_text(json.dumps(asdict(manifest), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return manifest


def read(out: Path) -> Manifest | None:
    """The manifest of an output, or None where there is none that can be read."""
    try:
        content = json.loads(beside(out).read_bytes())
        return Manifest(**{field.name: content[field.name] for field in fields(Manifest)})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def is_done(out: Path, step: str, inputs: Mapping[str, Path], settings: object) -> bool:
    """Whether `out` is what this step makes of these inputs with these settings."""
    return why_not(out, step, inputs, settings) is None


def why_not(out: Path, step: str, inputs: Mapping[str, Path], settings: object) -> str | None:
    """Why the step has to run, in a few words; None when it is done."""
    made = read(out)
    if made is None or made.step != step:
        return "it has not been made"
    if not out.exists() or digest(out) != made.output:
        return f"{out.name} is not what was made"
    if set(inputs) != set(made.inputs):
        return "it was made from other inputs"
    changed = [name for name, path in inputs.items() if not path.exists() or digest(path) != made.inputs[name]]
    if changed:
        return f"{', '.join(changed)} changed"
    now = plain(settings)
    differing = [name for name in sorted({*now, *made.settings}) if now.get(name) != made.settings.get(name)]
    return f"settings changed: {', '.join(differing)}" if differing else None


def digest(path: Path) -> str:
    """The sha256 of a file; of a folder, that of its files' names and contents. Raises OSError."""
    if not path.is_dir():
        return hash_file(path)
    total = hashlib.sha256()
    for file in _files(path):
        total.update(f"{file.relative_to(path).as_posix()}\0{hash_file(file)}\n".encode())
    return total.hexdigest()


def plain(settings: object) -> dict[str, Any]:
    """Settings as JSON holds them: a dataclass or a mapping, paths as text, tuples as lists."""
    values = asdict(settings) if is_dataclass(settings) and not isinstance(settings, type) else settings
    content: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return content


def _files(folder: Path) -> Iterator[Path]:
    """What is compiled on the way is no part of a folder of code."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc")
