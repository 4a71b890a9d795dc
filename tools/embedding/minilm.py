"""all-MiniLM-L6-v2 in NumPy: to embed one question, PyTorch takes ten seconds and half a gigabyte of imports.

A BERT (Devlin et al. 2019, arXiv:1810.04805) whose last layer is averaged over the tokens, as sentence-transformers
runs it. Its matrices lie in the file as it comes and are mapped, not read: what no text needs takes no memory.
"""

import json
import math
import mmap
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

Numbers = NDArray[np.float32]
WEIGHTS = "model.safetensors"
ENCODER = "encoder."
FEW = 4
"""Texts for which one thread is enough. Several wait for each other, and for whatever else computes: on two cores
beside llama.cpp a query took three times as long with two threads as with one."""
TOGETHER = 1024
"""Tokens that are computed together, padding included: enough for fast products, and some 20 MB."""
PIECE = 16384
"""Numbers whose GELU is computed together: they stay in a core's cache."""

_computing = threading.Lock()


@dataclass(frozen=True)
class MiniLmParts:
    """What lies in the model's folder: tensors by name, tokenizer, attention heads, layer norm's ε, limit in tokens."""

    tensors: Mapping[str, Numbers]
    tokenizer: Tokenizer
    heads: int
    epsilon: float
    longest: int

    def ids(self, texts: Sequence[str], longest: int) -> list[list[int]]:
        """Token ids of each text, [CLS] and [SEP] at the ends, at most `longest`."""
        # No lock: threads disturb each other only if one changes settings, as transformers does at each call.
        ids = [self.tokenizer.encode(_without_surrogates(text)).ids for text in texts]
        return [each if len(each) <= longest else each[: longest - 1] + each[-1:] for each in ids]


def load(folder: Path) -> MiniLmParts:
    """The parts of the model. Raises OSError, ValueError or KeyError if a file is missing or not what it should be."""
    config, limits = (_object(folder / name) for name in ("config.json", "sentence_bert_config.json"))
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises no other class
        raise ValueError(f"tokenizer.json: {error}") from error
    # The file asks for 128 tokens, always; sentence-transformers overrides both, and we cut and pad ourselves.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    heads, epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
    return MiniLmParts(tensors(folder / WEIGHTS), tokenizer, heads, epsilon, int(limits["max_seq_length"]))


def tensors(path: Path) -> dict[str, Numbers]:
    """The floating-point tensors of a safetensors file, mapped if they have 32 bits, converted if they have 16.

    The format: https://github.com/huggingface/safetensors#format. Raises OSError, ValueError or KeyError.
    """
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size)) if size < path.stat().st_size else None
        if not isinstance(header, dict):
            raise ValueError(f"{path} is no safetensors file")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    header.pop("__metadata__", None)
    return {name: _tensor(mapped, 8 + size, told) for name, told in header.items() if told["dtype"] in _READ}


def _tensor(mapped: mmap.mmap, start: int, told: Mapping[str, Any]) -> Numbers:
    kind, (begin, end) = _READ[told["dtype"]], told["data_offsets"]
    raw: NDArray[Any] = np.frombuffer(mapped, kind, (end - begin) // kind.itemsize, start + begin)
    if told["dtype"] == "BF16":  # the upper half of a float32
        raw = (raw.astype(np.uint32) << 16).view(np.float32)
    numbers: Numbers = raw.astype(np.float32, copy=False).reshape(told["shape"])
    return numbers


_READ: Mapping[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "BF16": np.dtype("<u2")}


class Network:
    """Texts to vectors of length 1."""

    def __init__(self, parts: MiniLmParts) -> None:
        self._parts, self._tensors = parts, parts.tensors
        self._layers = sorted({name.split(".")[2] for name in parts.tensors if name.startswith(ENCODER)}, key=int)

    def embed(self, texts: Sequence[str]) -> Numbers:
        """(texts, D)."""
        ids = self._parts.ids(texts, self._parts.longest)
        rows = np.empty((len(ids), self._tensors["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        for places in _batches([len(each) for each in ids]):
            with _threads_for(len(ids)):  # while many texts are embedded, a query waits for a batch, not for all
                rows[places] = self._mean([ids[place] for place in places])
        return rows

    def _mean(self, ids: Sequence[Sequence[int]]) -> Numbers:
        """(texts, D): the last layer, averaged over each text's tokens, of length 1."""
        longest = max(map(len, ids))
        tokens, there = np.zeros((len(ids), longest), np.int64), np.zeros((len(ids), longest), np.float32)
        for row, each in enumerate(ids):
            tokens[row, : len(each)], there[row, : len(each)] = each, 1.0
        hidden = self._embedded(tokens)
        unseen = np.where(there > 0, np.float32(0.0), np.float32(-np.inf))
        for layer in self._layers:
            hidden = self._layer(hidden, unseen, f"{ENCODER}layer.{layer}")
        mean = (hidden.reshape(-1, *there.shape) * there).sum(axis=2).T / there.sum(axis=1, keepdims=True)
        normalised: Numbers = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), np.float32(1e-12))
        return normalised

    def _embedded(self, tokens: NDArray[np.int64]) -> Numbers:
        """LanguageWords, places and the one kind of text that there is.

        (D, texts · tokens), as all that follows: products with a matrix before the tokens take half the time of those
        with its transpose behind them.
        """
        words, places, kinds = (
            self._tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        hidden = words[tokens]
        hidden += places[: tokens.shape[1]] + kinds[0]
        return self._normed(np.ascontiguousarray(hidden.reshape(tokens.size, -1).T), "embeddings.LayerNorm")

    def _layer(self, hidden: Numbers, unseen: Numbers, name: str) -> Numbers:
        seen = self._linear(self._attended(hidden, unseen, f"{name}.attention.self"), f"{name}.attention.output.dense")
        seen += hidden
        seen = self._normed(seen, f"{name}.attention.output.LayerNorm")
        wide = self._linear(seen, f"{name}.intermediate.dense")
        gelu(wide)
        out = self._linear(wide, f"{name}.output.dense")
        out += seen
        return self._normed(out, f"{name}.output.LayerNorm")

    def _attended(self, hidden: Numbers, unseen: Numbers, name: str) -> Numbers:
        """What each token takes from those of its text. unseen: (texts, tokens), -∞ where there is padding."""
        asked, named, held = (
            self._linear(hidden, f"{name}.{part}").reshape(self._parts.heads, -1, *unseen.shape).transpose(2, 0, 1, 3)
            for part in ("query", "key", "value")
        )  # (texts, heads, D / heads, tokens)
        weights: Numbers = asked.swapaxes(2, 3) @ named
        weights *= np.float32(1 / math.sqrt(asked.shape[2]))
        weights += unseen[:, None, None]
        weights -= weights.max(axis=3, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=3, keepdims=True)
        return (held @ weights.swapaxes(2, 3)).transpose(1, 2, 0, 3).reshape(hidden.shape)

    def _linear(self, hidden: Numbers, name: str) -> Numbers:
        out: Numbers = self._tensors[f"{name}.weight"] @ hidden
        out += self._tensors[f"{name}.bias"][:, None]
        return out

    def _normed(self, hidden: Numbers, name: str) -> Numbers:
        """Layer norm (Ba et al. 2016, arXiv:1607.06450), in place."""
        hidden -= hidden.mean(axis=0)
        variance = np.einsum("ij,ij->j", hidden, hidden) / np.float32(len(hidden))
        hidden /= np.sqrt(variance + np.float32(self._parts.epsilon))
        hidden *= self._tensors[f"{name}.weight"][:, None]
        hidden += self._tensors[f"{name}.bias"][:, None]
        return hidden


def gelu(numbers: Numbers) -> None:
    """x·Φ(x) for a contiguous array, in place, as max(x, 0) − |x|/2 · erfc(|x|/√2).

    erfc is formula 7.1.26 of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), p. 299, within 1.5e-7;
    importing SciPy's takes a quarter of a second.
    """
    flat = numbers.reshape(-1)
    for start in range(0, flat.size, PIECE):
        piece = flat[start : start + PIECE]
        size = np.abs(piece)
        share = np.reciprocal(size * np.float32(0.3275911 / math.sqrt(2)) + np.float32(1))
        tail = share * np.float32(1.061405429)
        for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            tail += np.float32(factor)
            tail *= share
        tail *= size
        tail *= np.exp(np.square(size, out=size) * np.float32(-0.5))
        np.maximum(piece, 0, out=piece)
        piece -= tail * np.float32(0.5)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that are computed together, all of about one length, so that little is padding."""
    batch = list[int]()
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > TOGETHER:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


@contextmanager
def _threads_for(texts: int) -> Iterator[None]:
    """Compute one at a time, for few texts with one of NumPy's threads and for many with all.

    Their number holds for the whole process, and OpenBLAS doesn't say what becomes of a product during which it
    changes: nobody else of ours is in a large one then, and each finds the number that it has to put back.
    """
    with _computing, _blas().limit(limits=1) if texts <= FEW else nullcontext():
        yield


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _without_surrogates(text: str) -> str:
    """The tokenizer takes no half of a pair; whole pairs are joined, and of U+FFFD it makes nothing."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _object(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds no object")
    return found
