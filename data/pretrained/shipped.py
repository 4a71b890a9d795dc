"""The language model that comes with Scribe: the base under our adapter, merged once on the user's machine.

    python -m data.pretrained.shipped

Merged rather than laid over the base at run time, since that reads and writes faster and computes the same; the
figures are in README.md beside this file.
"""

import hashlib
from pathlib import Path

from data.pretrained.adapter import Adapter
from data.pretrained.merging import MERGING, merge_gguf
from data.pretrained.package import FOLDER_SHA256, GGUF_SHA256, find_base_gguf
from scribe.backends.weights import read_trained_on
from scribe.errors import ModelFileError
from scribe.plumbing.files import build_once, cache_folder, hash_file
from scribe.plumbing.progress import OnProgress, ignore_progress

ADAPTER = Path(__file__).parent.parent / "models" / "adapter"


def open_shipped_gguf(adapter: Path = ADAPTER, tell: OnProgress = ignore_progress) -> Path:
    """The model as one GGUF file in the cache; prepared if it is not there yet, which takes seconds.

    As long as there is no folder `adapter`, it is the base as it comes.
    Raises ModelFileError or UsageError if the package or the adapter is missing, damaged or of another model.
    """
    base = find_base_gguf()
    if not adapter.exists():
        return base
    _require_base(adapter)
    parts = [hash_file(adapter / name) for name in ("adapter_model.safetensors", "adapter_config.json")]
    key = hashlib.sha256(" ".join((GGUF_SHA256, *parts, str(MERGING))).encode()).hexdigest()[:16]
    target = cache_folder() / f"scribe-135m-{key}.q8_0.gguf"
    return build_once(target, lambda partial: merge_gguf(base, Adapter(adapter), partial, tell))


def _require_base(adapter: Path) -> None:
    """Refuse an adapter that was trained on other weights, such as a second stage's on a merged first one."""
    found = read_trained_on(adapter)
    if found is not None and found != FOLDER_SHA256:
        raise ModelFileError(
            f"{adapter}: trained on weights with the sha256 {found[:12]}…, not on the base model's"
            f" {FOLDER_SHA256[:12]}…; a second stage does not ship; train in one ([single])"
        )


def main() -> None:
    """Prepare the model, and print where it is."""
    print(open_shipped_gguf(tell=lambda step, done, total: print(f"\r{step} {done}/{total}", end="", flush=True)))


if __name__ == "__main__":
    main()
