"""The learned tracer at run time: a small network from features to a probability, without torch.

Its file is JSON: format, version, the names of its features, and its layers, each with weights (outputs × inputs) and
bias; between layers stands tanh, at the end the logistic function. Logistic regression is a network of one layer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scribe.plumbing.errors import ModelFileError
from scribe.tutor.session import TutoringSession
from scribe.verify.bayesian import BayesianTracer, BktParameters
from scribe.verify.features import FEATURES, measure_features
from scribe.verify.tracing import TRACER_FORMAT, TRACER_VERSION

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TracerLayer:
    """weights: (outputs, inputs); bias: (outputs,)."""

    weights: Numbers
    bias: Numbers


@dataclass(frozen=True, slots=True)
class LearnedTracer:
    """layers: from the features to one number; plain: the tracer whose belief is one of the features."""

    layers: tuple[TracerLayer, ...]
    plain: BayesianTracer = field(default_factory=BayesianTracer)

    def trace(self, session: TutoringSession) -> Mapping[str, float]:
        """The beliefs after the last turn."""
        features = measure_features(session, self.plain.trace(session))
        names = [each.name for each in session.brief.components]
        return {name: float(known) for name, known in zip(names, estimate(self.layers, features), strict=True)}


def estimate(layers: Sequence[TracerLayer], features: Numbers) -> Numbers:
    """Probabilities (rows,) of features (rows, features)."""
    values = features
    for layer in layers[:-1]:
        values = np.tanh(values @ layer.weights.T + layer.bias)
    logits = (values @ layers[-1].weights.T + layers[-1].bias)[:, 0]
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -50.0, 50.0))))


def describe_learned(layers: Sequence[TracerLayer], plain: BktParameters) -> dict[str, object]:
    """What a tracer's file holds of this network; plain: the parameters of the tracer that is one of its features."""
    head = {"format": TRACER_FORMAT, "version": TRACER_VERSION, "kind": "learned", "features": list(FEATURES)}
    told = [{"weights": each.weights.tolist(), "bias": each.bias.tolist()} for each in layers]
    return {**head, "bayesian": {name: getattr(plain, name) for name in BktParameters.__slots__}, "layers": told}


def build_learned(data: Mapping[str, Any], path: Path) -> LearnedTracer:
    """The tracer that a file holds. Raises ModelFileError, which names the file `path`, if it is not what it claims."""
    if data.get("features") != list(FEATURES):
        raise ModelFileError(f"{path}: made for other features than this Scribe measures; train it again")
    try:
        layers = tuple(
            TracerLayer(np.array(each["weights"], dtype=np.float64), np.array(each["bias"], dtype=np.float64))
            for each in data["layers"]
        )
        plain = BayesianTracer(BktParameters(**data["bayesian"]))
        _require_fit(layers)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: its layers or parameters are not readable ({error})") from error
    return LearnedTracer(layers, plain)


def _require_fit(layers: Sequence[TracerLayer]) -> None:
    """Raise ValueError if one layer does not fit the next."""
    inputs = len(FEATURES)
    for number, layer in enumerate(layers, start=1):
        outputs = len(layer.bias) if layer.bias.ndim == 1 else -1
        if layer.weights.shape != (outputs, inputs) or not np.isfinite(layer.weights).all():
            raise ValueError(f"layer {number} is {layer.weights.shape}, not ({outputs}, {inputs})")
        inputs = outputs
    if not layers or inputs != 1:
        raise ValueError("the last layer must give one number")
