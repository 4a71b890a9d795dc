"""Which weights wrote a record, and on which a LoRA adapter was trained: on any others it means nothing."""

import hashlib
import json
from pathlib import Path

from scribe.plumbing.errors import ModelFileError
from scribe.plumbing.files import hash_file

TRAINED_ON = "trained_on.json"
"""Beside the adapter: the sha256 of the weights it was trained on, and the name of their folder."""


def fingerprint(*paths: Path) -> str:
    """12 hex digits: of one file the beginning of what `sha256sum` prints, of several a hash of their hashes."""
    sums = [hash_file(path) for path in paths]
    whole = sums[0] if len(sums) == 1 else hashlib.sha256(b"".join(map(bytes.fromhex, sums))).hexdigest()
    return whole[:12]


def hash_weights(folder: Path) -> str:
    """The sha256 of a model's or an adapter's weights; of one file what `sha256sum` prints, of shards a hash of theirs.

    Raises ModelFileError if the folder has none.
    """
    files = sorted(folder.glob("model*.safetensors")) or sorted(folder.glob("adapter_model.safetensors"))
    if not files:
        raise ModelFileError(f"{folder}: no weights (safetensors) in it")
    sums = [hash_file(file) for file in files]
    return sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()


def read_trained_on(adapter: Path) -> str | None:
    """The sha256 of the weights that an adapter says it was trained on; None if it does not say.

    Raises ModelFileError for what cannot be read.
    """
    path = adapter / TRAINED_ON
    if not path.exists():
        return None
    try:
        return str(json.loads(path.read_bytes())["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{path}: it should name the weights the adapter was trained on ({error})") from error


def require_base(adapter: Path, base: Path) -> None:
    """Refuse an adapter that says it was trained on other weights than those in `base`. Raises ModelFileError.

    One that does not say, made elsewhere, is taken as it is.
    """
    wanted, found = read_trained_on(adapter), hash_weights(base)
    if wanted is not None and wanted != found:
        raise ModelFileError(
            f"the adapter {adapter} was trained on weights with the sha256 {wanted[:12]}…, but those in {base} have"
            f" {found[:12]}…; give the model it was trained on (for a second stage: the first one merged into the base)"
        )
