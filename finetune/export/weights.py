"""A model folder's weights: the tensors of one safetensors file or several, one at a time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from data.pretrained.adapter import read_json
from scribe.errors import ModelFileError

WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"


class ModelTensors:
    """A model's tensors by name, as its index says, else those of its one file.

    Raises ModelFileError for what is missing or not readable.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if (folder / INDEX).exists():
            shards: Mapping[str, str] = read_json(folder / INDEX).get("weight_map") or {}
        else:
            with _open(folder / WHOLE) as file:
                shards = dict.fromkeys(file.keys(), WHOLE)
        missing = sorted({shard for shard in shards.values() if not (folder / shard).is_file()})
        if missing or not shards:
            raise ModelFileError(f"{folder / INDEX}: there is no {', '.join(missing) or 'weight_map'} in it or beside")
        self._shards = shards

    @property
    def names(self) -> frozenset[str]:
        """What there is."""
        return frozenset(self._shards)

    @property
    def files(self) -> dict[str, list[str]]:
        """The names by file, as they are split up."""
        found: dict[str, list[str]] = {}
        for name, shard in self._shards.items():
            found.setdefault(shard, []).append(name)
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        """A tensor's shape, without reading it."""
        with _open(self._find(name)) as file:
            return tuple(file.get_slice(name).get_shape())

    def load(self, name: str) -> torch.Tensor:
        """A tensor as it is stored."""
        path = self._find(name)
        with _open(path) as file:
            try:
                tensor: torch.Tensor = file.get_tensor(name)
            except SafetensorError as error:
                raise ModelFileError(f"{path}: no readable tensor {name} ({error})") from error
        return tensor

    def _find(self, name: str) -> Path:
        if name not in self._shards:
            raise ModelFileError(f"{self._folder}: no tensor {name} in its safetensors files")
        return self._folder / self._shards[name]


def _open(path: Path) -> Any:
    """The file as a context manager that reads single tensors."""
    try:
        return safe_open(path, framework="pt")
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error
