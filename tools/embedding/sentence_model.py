"""A sentence-transformers model from a folder, with nothing from anywhere else."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scribe.errors import ModelFileError

CONFIGS = ("config.json", "tokenizer_config.json")
MODULES = "modules.json"
OURS = "sentence_transformers."


def load(folder: Path, own_code: bool) -> Any:
    """The model, on the CPU; the Python files in its folder are run only with `own_code`.

    Raises ModelFileError if there is none, or if it wants code that is not in the folder.
    """
    foreign = sorted(set(_foreign_modules(folder)) | (set(_code_elsewhere(folder)) if own_code else set()))
    if foreign:
        raise ModelFileError(
            f"{folder} wants code from elsewhere: {', '.join(foreign)}; read that code, copy its .py files into the "
            'folder, and in its .json files leave out what stands up to "--", so that nothing else is loaded'
        )
    # Must be set before the import, which reads it once; nothing here may ask a hub for anything.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    # Its bar for a load of two seconds would stand in the middle of what a command prints.
    logging.disable_progress_bar()
    try:
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True, trust_remote_code=own_code)
    except (OSError, ValueError, RuntimeError, ImportError, AttributeError, TypeError, KeyError) as error:
        raise ModelFileError(f"{folder} is no sentence-transformers model: {error}") from error
    if own_code:
        _reset_token_types(model)
    return model


def _foreign_modules(folder: Path) -> Iterator[str]:
    """The parts of the model that are not of sentence-transformers itself."""
    for part in _read(folder / MODULES, []):
        kind = str(part.get("type", "")) if isinstance(part, dict) else ""
        if not kind.startswith(OURS):
            yield kind or "a module without a type"


def _code_elsewhere(folder: Path) -> Iterator[str]:
    """The repositories that classes of the model or its tokenizer would be fetched from."""
    for name in CONFIGS:
        config = _read(folder / name, {})
        named = config.get("auto_map", {}) if isinstance(config, dict) else {}
        for source in named.values() if isinstance(named, dict) else ():
            yield from (part.split("--")[0] for part in _strings(source) if "--" in part)


def _strings(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def _read(path: Path, absent: Any) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else absent
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path} cannot be read: {error}") from error


def _reset_token_types(model: Any) -> None:
    """Zero the token types, which transformers 5 leaves as they come for code that is not its own.

    They are in no checkpoint, so nothing else would set them, and random ones lie outside the embedding's table.
    """
    for name, buffer in model.named_buffers():
        if name.endswith("token_type_ids"):
            buffer.zero_()
