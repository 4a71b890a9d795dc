"""Opening what tutors rest on: what comes with Scribe, or the files that settings name."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from scribe.plumbing.errors import ModelFileError
from scribe.verify.bayesian import build_bayesian
from scribe.verify.learned import build_learned
from scribe.verify.state_verifier import StateVerifier, build_state_verifier
from scribe.verify.tracing import Tracer, check_tracer, read_tracer_file
from scribe.verify.verifying import Verifier

TRACERS: dict[str, Callable[[Mapping[str, Any], Path], Tracer]] = {"bayesian": build_bayesian, "learned": build_learned}
SHIPPED = Path(__file__).with_name("shipped")
TRACER_FILE, VERIFIER_FILE = "tracer.json", "verifier.json"
"""As `finetune.verifier` calls them; `shipped/README.md` tells where those that come along are from."""


def open_tracer(path: Path | None = None) -> Tracer:
    """The tracer in a file; without one that which comes with Scribe. Raises ModelFileError."""
    path = path or SHIPPED / TRACER_FILE
    return _build_tracer(read_tracer_file(path), path)


def open_verifier(path: Path | None = None, base: Path | None = None) -> Verifier:
    """The trained verifier in a file, or in a folder one on the model folder `base`; without a path that which comes
    with Scribe. Raises ModelFileError.
    """
    path = path or SHIPPED / VERIFIER_FILE
    if path.is_file():
        return _open_state_verifier(path)
    if not path.is_dir():
        raise ModelFileError(f"there is no verifier at {path}; finetune.verifier trains one")
    if base is None:
        raise ModelFileError(f"{path}: the verifier in a folder needs the model under it")
    from scribe.verify.hf_verifier import HfVerifier  # torch takes seconds to load

    return HfVerifier(path, base)


def identify_shipped(name: Literal["tracer", "verifier"]) -> str:
    """What tells the one that comes with Scribe from those of other versions: 12 digits of its SHA-256."""
    path = SHIPPED / {"tracer": TRACER_FILE, "verifier": VERIFIER_FILE}[name]
    return f"shipped {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"


def _open_state_verifier(path: Path) -> StateVerifier:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not a readable verifier ({error})") from error
    if not isinstance(data, dict) or not isinstance(data.get("tracer"), dict):
        raise ModelFileError(f"{path}: not a verifier; finetune.verifier trains one")
    return build_state_verifier(data, _build_tracer(check_tracer(data["tracer"], path), path), path)


def _build_tracer(data: Mapping[str, Any], path: Path) -> Tracer:
    build = TRACERS.get(str(data.get("kind")))
    if build is None:
        raise ModelFileError(f"{path}: a tracer of the kind {data.get('kind')!r}; there are {', '.join(TRACERS)}")
    return build(data, path)
