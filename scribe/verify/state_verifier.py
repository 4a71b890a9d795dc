"""A verifier that asks the tracer: what would the student know after this turn, and how well do such sessions end?

The tracer is given the session with the candidate in it. What it believes before and after is summed up in a few
numbers, from which a small network foretells the reward of equations 1 and 2. It needs no language model: numpy, and
the words by which evidence is found. Its file is JSON and holds the tracer that it was trained with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scribe.plumbing.errors import ModelFileError
from scribe.tutor.session import MAX_ROUNDS, TutoringSession, TutorTurn
from scribe.verify.layers import Layer, Numbers, estimate, read_layers, write_layers
from scribe.verify.tracing import Tracer
from scribe.verify.verifying import ValuedTurns

VERIFIER_FORMAT, VERIFIER_VERSION = "scribe verifier", 1
VALUE_FEATURES = ("rounds", "components", "unknown", "least", "surest", "gained")
"""The names of the columns; another list means another verifier."""
_MANY = 10
"""Components by which counts are divided, so that all columns are about as large."""


@dataclass(frozen=True, slots=True)
class StateVerifier:
    """tracer: one that can be asked when the tutor has spoken last; layers: from the features to one number."""

    tracer: Tracer
    layers: tuple[Layer, ...]

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """A reward for each candidate."""
        before = list_beliefs(self.tracer.trace(session), session)
        after = [list_beliefs(self.tracer.trace(session.then(TutorTurn(each))), session) for each in candidates]
        if not after:
            return ValuedTurns(())
        features = np.array([measure_value(before, each, session.rounds) for each in after])
        return ValuedTurns(tuple(float(each) for each in estimate(self.layers, features)))


def list_beliefs(belief: Mapping[str, float], session: TutoringSession) -> Numbers:
    """Probabilities (components,), in the brief's order."""
    return np.array([belief[each.name] for each in session.brief.components])


def measure_value(before: Numbers, after: Numbers, rounds: int) -> list[float]:
    """The features of a turn, in the order of `VALUE_FEATURES`.

    before, after: beliefs (components,) without the turn and with it; rounds: how often the tutor has spoken before.
    """
    if not len(after):
        return [rounds / MAX_ROUNDS, *[0.0] * (len(VALUE_FEATURES) - 1)]
    return [
        rounds / MAX_ROUNDS,
        len(after) / _MANY,
        float((1.0 - after).sum()) / _MANY,
        float(after.min()),
        float(np.log(np.clip(after, 0.01, 1.0)).mean()),
        float((after - before).sum()),
    ]


def describe_verifier(layers: Sequence[Layer], tracer: Mapping[str, object]) -> dict[str, object]:
    """What a verifier's file holds; tracer: what its tracer's file would."""
    head = {"format": VERIFIER_FORMAT, "version": VERIFIER_VERSION, "kind": "state", "features": list(VALUE_FEATURES)}
    return {**head, "layers": write_layers(layers), "tracer": dict(tracer)}


def build_state_verifier(data: Mapping[str, Any], tracer: Tracer, path: Path) -> StateVerifier:
    """The verifier that a file holds, with its tracer. Raises ModelFileError, which names the file `path`."""
    found = data.get("format"), data.get("version")
    if found != (VERIFIER_FORMAT, VERIFIER_VERSION):
        raise ModelFileError(
            f"{path}: {found[0]!r} of version {found[1]}; this Scribe reads {VERIFIER_FORMAT!r} of version "
            f"{VERIFIER_VERSION}; train it again"
        )
    if data.get("features") != list(VALUE_FEATURES):
        raise ModelFileError(f"{path}: made for other features than this Scribe measures; train it again")
    return StateVerifier(tracer, read_layers(data.get("layers"), len(VALUE_FEATURES), path))
