"""A model folder's weights: the tensors of one safetensors file or several, one at a time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from data.pretrained.adapter import read_json
from scribe.errors import ModelFileError

WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"


class Tensors:
    """The tensors of some safetensors files by name. Raises ModelFileError for what is missing or not readable."""

    def __init__(self, where: Path, files: Mapping[str, Path]) -> None:
        self._where = where
        self._files = files

    @classmethod
    def of_model(cls, folder: Path) -> "Tensors":
        """A model's weights: as its index says, else those of its one file."""
        if not (folder / INDEX).exists():
            return cls.of_file(folder / WHOLE)
        shards: Mapping[str, str] = read_json(folder / INDEX).get("weight_map") or {}
        missing = sorted({shard for shard in shards.values() if not (folder / shard).is_file()})
        if missing or not shards:
            raise ModelFileError(f"{folder / INDEX}: there is no {', '.join(missing) or 'weight_map'} in it or beside")
        return cls(folder, {name: folder / shard for name, shard in shards.items()})

    @classmethod
    def of_file(cls, path: Path) -> "Tensors":
        """The tensors of one file."""
        with _opened(path) as file:
            return cls(path.parent, dict.fromkeys(file.keys(), path))

    @property
    def names(self) -> frozenset[str]:
        """What there is."""
        return frozenset(self._files)

    def shape(self, name: str) -> tuple[int, ...]:
        """A tensor's shape, without reading it."""
        with _opened(self._path(name)) as file:
            return tuple(file.get_slice(name).get_shape())

    def load(self, name: str) -> torch.Tensor:
        """A tensor as it is stored."""
        path = self._path(name)
        with _opened(path) as file:
            try:
                tensor: torch.Tensor = file.get_tensor(name)
            except SafetensorError as error:
                raise ModelFileError(f"{path}: no readable tensor {name} ({error})") from error
        return tensor

    def files(self) -> dict[str, list[str]]:
        """The names by file, as they are split up."""
        found: dict[str, list[str]] = {}
        for name, path in self._files.items():
            found.setdefault(path.name, []).append(name)
        return found

    def _path(self, name: str) -> Path:
        if name not in self._files:
            raise ModelFileError(f"{self._where}: no tensor {name} in its safetensors files")
        return self._files[name]


def _opened(path: Path) -> Any:
    """The file as a context manager that reads single tensors."""
    try:
        return safe_open(path, framework="pt")
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error
