"""What a student knows, component by component, as probabilities: the protocol of a tracer, and its file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from scribe.plumbing.errors import ModelFileError
from scribe.tutor.session import TutoringSession

TRACER_FORMAT, TRACER_VERSION = "scribe tracer", 1


class Tracer(Protocol):
    """Estimates what a student knows from what both have said, and never from the student's true state."""

    def trace(self, session: TutoringSession) -> Mapping[str, float]:
        """For each component by name the probability that the student knows it after the last turn."""
        ...


def read_tracer_file(path: Path) -> dict[str, Any]:
    """What a tracer's file holds. Raises ModelFileError if it is absent, not one, or of another version."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise ModelFileError(f"there is no tracer at {path}; finetune.verifier trains one") from error
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not a readable tracer ({error})") from error
    return check_tracer(data, path)


def check_tracer(data: Any, path: Path) -> dict[str, Any]:
    """What was read of a tracer. Raises ModelFileError, which names the file `path`, if it is none that can be read."""
    if not isinstance(data, dict) or data.get("format") != TRACER_FORMAT:
        raise ModelFileError(f"{path}: not a tracer; its format should be {TRACER_FORMAT!r}")
    if data.get("version") != TRACER_VERSION:
        raise ModelFileError(
            f"{path}: version {data.get('version')}; this Scribe reads {TRACER_VERSION}; train it again"
        )
    return data
