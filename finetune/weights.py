"""Which weights an adapter belongs to: their sha256, kept beside the adapter, since its own files do not say."""

import json
from pathlib import Path

from finetune.whole import written
from scribe.backends.weights import TRAINED_ON, hash_weights
from scribe.errors import UsageError

__all__ = ["TRAINED_ON", "base_of", "check_base", "hash_weights", "note_base"]


def note_base(adapter: Path, base: Path) -> None:
    """Write into an adapter's folder which weights it was trained on."""
    said = {"sha256": hash_weights(base), "name": base.name}
    with written(adapter / TRAINED_ON) as partial:
        partial.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


def base_of(adapter: Path) -> str:
    """The sha256 of the weights an adapter was trained on. Raises UsageError if its folder does not say."""
    path = adapter / TRAINED_ON
    try:
        return str(json.loads(path.read_bytes())["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path}: it should say which weights the adapter was trained on, and cannot be read ({error}); if you "
            f"are sure, write it with finetune.weights.note_base(ADAPTER, BASE)"
        ) from error


def check_base(adapter: Path, base: Path) -> None:
    """Raise UsageError unless the adapter was trained on these very weights."""
    wanted, found = base_of(adapter), hash_weights(base)
    if wanted != found:
        raise UsageError(
            f"{adapter}: trained on other weights (sha256 {wanted[:12]}) than those of {base} ({found[:12]}); give "
            "the folder it was trained on: for a second stage, that with the first one merged in"
        )
