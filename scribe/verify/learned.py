"""The learned tracer at run time: a small network from features to a probability, without torch.

Its file is JSON: format, version, the names of its features, the parameters of the plain tracer whose belief is one of
them, and its layers (`scribe.verify.layers`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scribe.plumbing.errors import ModelFileError
from scribe.tutor.session import TutoringSession
from scribe.verify.bayesian import BayesianTracer, BktParameters
from scribe.verify.features import FEATURES, measure_features
from scribe.verify.layers import Layer, estimate, read_layers, write_layers
from scribe.verify.tracing import TRACER_FORMAT, TRACER_VERSION


@dataclass(frozen=True, slots=True)
class LearnedTracer:
    """layers: from the features to one number; plain: the tracer whose belief is one of the features."""

    layers: tuple[Layer, ...]
    plain: BayesianTracer = field(default_factory=BayesianTracer)

    def trace(self, session: TutoringSession) -> Mapping[str, float]:
        """The beliefs after the last turn, whoever said it."""
        features = measure_features(session, self.plain.trace(session))
        names = [each.name for each in session.brief.components]
        return {name: float(known) for name, known in zip(names, estimate(self.layers, features), strict=True)}


def describe_learned(layers: Sequence[Layer], plain: BktParameters) -> dict[str, object]:
    """What a tracer's file holds of these layers; plain: the parameters of the tracer that is one of its features."""
    head = {"format": TRACER_FORMAT, "version": TRACER_VERSION, "kind": "learned", "features": list(FEATURES)}
    parameters = {name: getattr(plain, name) for name in BktParameters.__slots__}
    return {**head, "bayesian": parameters, "layers": write_layers(layers)}


def build_learned(data: Mapping[str, Any], path: Path) -> LearnedTracer:
    """The tracer that a file holds. Raises ModelFileError, which names the file `path`, if it is not what it claims."""
    if data.get("features") != list(FEATURES):
        raise ModelFileError(f"{path}: made for other features than this Scribe measures; train it again")
    try:
        plain = BayesianTracer(BktParameters(**data["bayesian"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: its parameters are not readable ({error})") from error
    return LearnedTracer(read_layers(data.get("layers"), len(FEATURES), path), plain)
