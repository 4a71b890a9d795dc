"""Opening what tutors rest on, by the files that settings name."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from scribe.plumbing.errors import ModelFileError
from scribe.verify.bayesian import BayesianTracer, build_bayesian
from scribe.verify.learned import build_learned
from scribe.verify.tracing import Tracer, read_tracer_file
from scribe.verify.verifying import Verifier

TRACERS: dict[str, Callable[[Mapping[str, Any], Path], Tracer]] = {"bayesian": build_bayesian, "learned": build_learned}


def open_tracer(path: Path | None = None) -> Tracer:
    """The tracer in a file; without one the Bayesian with parameters set by hand. Raises ModelFileError."""
    if path is None:
        return BayesianTracer()
    data = read_tracer_file(path)
    build = TRACERS.get(str(data.get("kind")))
    if build is None:
        raise ModelFileError(f"{path}: a tracer of the kind {data.get('kind')!r}; there are {', '.join(TRACERS)}")
    return build(data, path)


def open_verifier(folder: Path, base: Path) -> Verifier:
    """The trained verifier in a folder, on the model folder `base`. Raises ModelFileError."""
    if not folder.is_dir():
        raise ModelFileError(f"there is no verifier at {folder}; finetune.verifier trains one")
    from scribe.verify.hf_verifier import HfVerifier  # torch takes seconds to load

    return HfVerifier(folder, base)
