"""Small networks without torch: layers of numbers in a JSON file, from features to a probability.

Between layers stands tanh, at the end the logistic function. Logistic regression is a network of one layer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scribe.plumbing.errors import ModelFileError

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Layer:
    """weights: (outputs, inputs); bias: (outputs,)."""

    weights: Numbers
    bias: Numbers


def estimate(layers: Sequence[Layer], features: Numbers) -> Numbers:
    """Probabilities (rows,) of features (rows, features)."""
    values = features
    for layer in layers[:-1]:
        values = np.tanh(values @ layer.weights.T + layer.bias)
    logits = (values @ layers[-1].weights.T + layers[-1].bias)[:, 0]
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -50.0, 50.0))))


def write_layers(layers: Sequence[Layer]) -> list[dict[str, object]]:
    """What a file holds of them."""
    return [{"weights": each.weights.tolist(), "bias": each.bias.tolist()} for each in layers]


def read_layers(data: Any, inputs: int, path: Path) -> tuple[Layer, ...]:
    """The layers that a file holds, of so many features. Raises ModelFileError, which names the file `path`."""
    try:
        layers = tuple(
            Layer(np.array(each["weights"], dtype=np.float64), np.array(each["bias"], dtype=np.float64))
            for each in data
        )
        _require_fit(layers, inputs)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: its layers are not readable ({error})") from error
    return layers


def _require_fit(layers: Sequence[Layer], inputs: int) -> None:
    """Raise ValueError if one layer does not fit the next."""
    for number, layer in enumerate(layers, start=1):
        outputs = len(layer.bias) if layer.bias.ndim == 1 else -1
        if layer.weights.shape != (outputs, inputs) or not np.isfinite(layer.weights).all():
            raise ValueError(f"layer {number} is {layer.weights.shape}, not ({outputs}, {inputs})")
        inputs = outputs
    if not layers or inputs != 1:
        raise ValueError("the last layer must give one number")
