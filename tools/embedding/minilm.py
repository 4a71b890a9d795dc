"""all-MiniLM-L6-v2 in NumPy: to embed one question, PyTorch takes ten seconds and half a gigabyte of imports.

A BERT (Devlin et al. 2019, arXiv:1810.04805) whose last layer is averaged over the tokens, as sentence-transformers
runs it. Its matrices lie in the file as it comes and are mapped, not read: what no text needs takes no memory.
"""

import json
import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

Numbers = NDArray[np.float32]
WEIGHTS = "model.safetensors"
CONFIGS = ("config", "sentence_bert_config")
ENCODER = "encoder."
FEW = 4
"""Texts for which one thread is enough. Several wait for each other, and for whatever else computes: on two cores
beside llama.cpp a query took three times as long with two threads as with one."""
TOGETHER = 1024
"""Tokens that are computed together, padding included: enough for fast products, and some 20 MB."""
PIECE = 16384
"""Numbers whose GELU is computed together: they stay in a core's cache."""

_computing = threading.Lock()


class Network:
    """Texts to vectors of length 1, by the model in a folder whose weights are known to be whole.

    Raises OSError, ValueError, KeyError or TypeError if another file is missing or not what it should be.
    """

    def __init__(self, folder: Path) -> None:
        config, limits = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in CONFIGS)
        self._heads, self._epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        self._longest = int(limits["max_seq_length"])
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the library raises no other class
            raise ValueError(f"tokenizer.json: {error}") from error
        # The file asks for 128 tokens, always; sentence-transformers overrides both, and we cut and pad ourselves.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tensors = _map_tensors(folder / WEIGHTS)
        self._layers = sorted({name.split(".")[2] for name in self._tensors if name.startswith(ENCODER)}, key=int)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, [CLS] and [SEP] at the ends, cut to the model's limit."""
        # No lock: threads disturb each other only if one changes settings, as transformers does at each call.
        ids = [self._tokenizer.encode(_without_surrogates(text)).ids for text in texts]
        return [each if len(each) <= self._longest else each[: self._longest - 1] + each[-1:] for each in ids]

    def embed(self, texts: Sequence[str]) -> Numbers:
        """(texts, D)."""
        ids = self.tokenize(texts)
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
        """Words, places and the one kind of text that there is.

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
            self._linear(hidden, f"{name}.{part}").reshape(self._heads, -1, *unseen.shape).transpose(2, 0, 1, 3)
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
        hidden /= np.sqrt(variance + np.float32(self._epsilon))
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


def _map_tensors(path: Path) -> dict[str, Numbers]:
    """The tensors of 32 bits in a safetensors file (https://github.com/huggingface/safetensors#format), mapped."""
    raw = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    header = json.loads(raw[8:start].tobytes())
    floats = {name: told for name, told in header.items() if told.get("dtype") == "F32"}
    places = {name: slice(*(start + offset for offset in told["data_offsets"])) for name, told in floats.items()}
    return {name: raw[places[name]].view(np.float32).reshape(told["shape"]) for name, told in floats.items()}
