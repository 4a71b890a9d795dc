"""What finished folds have foretold, kept in a file until all are done: one takes long, and a killed run goes on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scribe.plumbing.files import write_text

Numbers = NDArray[np.float64]


class KeptFolds:
    """The rewards of each finished fold. about: what they depend on; a file of anything else is begun anew."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path, self._about = path, json.loads(json.dumps(about))
        self._folds: dict[str, list[float]] = {}
        try:
            found = json.loads(path.read_bytes())
            if found["about"] == self._about:
                self._folds = dict(found["folds"])
        except (OSError, ValueError, KeyError, TypeError):
            pass  # none yet, or cut off: begun anew

    def find(self, fold: int) -> Numbers | None:
        """The rewards of a fold's samples, if it is finished."""
        found = self._folds.get(str(fold))
        return None if found is None else np.array(found)

    def keep(self, fold: int, rewards: Numbers) -> None:
        """Write them down. Raises OSError."""
        self._folds[str(fold)] = rewards.tolist()
        write_text(self._path, json.dumps({"about": self._about, "folds": self._folds}))

    def remove(self) -> None:
        """The file is no longer wanted."""
        self._path.unlink(missing_ok=True)
