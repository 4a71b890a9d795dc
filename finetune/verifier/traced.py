"""Training the verifier that asks the tracer (`scribe.verify.state_verifier`), and one that only reads the turn.

Tracer and verifier of a fold have not seen the fold's tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finetune.verifier.bayes_fit import EvidenceTable
from finetune.verifier.rivals import fit_head, list_rewards
from finetune.verifier.samples import TurnSample
from finetune.verifier.tracers import FoldTracer, TracingRows
from scribe.tutor.session import MAX_ROUNDS, MAX_WORDS, StudentTurn, TutoringSession
from scribe.verify.evidence import ASKED, TREATED, measure_treatment
from scribe.verify.features import cut_to_load
from scribe.verify.layers import Layer, Numbers, estimate
from scribe.verify.state_verifier import measure_value
from scribe.verify.verifying import ValuedTurns

PENALTY = 1e-3


@dataclass(frozen=True, slots=True)
class TracedReward:
    """Rewards by what the student would know: `folds` has each sample's fold, `tracers` the tracer of each fold."""

    samples: Sequence[TurnSample]
    rows: TracingRows
    tracers: Sequence[FoldTracer]
    folds: NDArray[np.int64]

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Rewards (N,) of all samples by the tracer and the layers of those that are `learned`."""
        (fold,) = set(self.folds[~learned].tolist())
        features = list_value_features(self.samples, self.rows, self.tracers[fold].beliefs)
        return estimate(fit_layers(features[learned], list_rewards(self.samples)[learned]), features)


@dataclass(frozen=True, slots=True)
class UntracedReward:
    """Rewards by the turn alone; features: (N, F) of `measure_turn`."""

    samples: Sequence[TurnSample]
    features: Numbers

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Rewards (N,)."""
        layers = fit_layers(self.features[learned], list_rewards(self.samples)[learned])
        return estimate(layers, self.features)


@dataclass(frozen=True, slots=True)
class UntracedVerifier:
    """The same at run time."""

    layers: tuple[Layer, ...]

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """A reward for each candidate."""
        features = np.array([measure_turn(session, each) for each in candidates])
        return ValuedTurns(tuple(float(each) for each in estimate(self.layers, features)))


def measure_turn(session: TutoringSession, candidate: str) -> list[float]:
    """What can be read of a turn without an estimate of what the student knows: the baseline without tracing.

    The number of the turn; how many components it treats, their fits, how well it treats what the student last spoke
    of, its length, what of it is beyond what is heard, and whether it asks.
    """
    heard = cut_to_load(candidate)
    fits = [measure_treatment(each, heard) for each in session.brief.components]
    said = next((each.text for each in reversed(session.turns) if isinstance(each, StudentTurn)), "")
    spoken = [measure_treatment(each, said) for each in session.brief.components]
    hit = max((fit for fit, named in zip(fits, spoken, strict=True) if named >= ASKED), default=0.0)
    words = len(candidate.split())
    treated = sum(fit >= TREATED for fit in fits)
    return [
        session.rounds / MAX_ROUNDS,
        treated / 4,
        min(treated, 2) / 2,
        sum(fits) / 4,
        max(fits, default=0.0),
        hit,
        words / MAX_WORDS,
        float(words > MAX_WORDS),
        float("?" in candidate),
    ]


def list_value_features(samples: Sequence[TurnSample], rows: TracingRows, beliefs: Numbers) -> Numbers:
    """Features (N, F) of `measure_value` for each sample. beliefs: (M,) of all moments."""
    places = _list_places(rows.dialogues, rows.table)
    found = []
    for each in samples:
        before, after = (beliefs[slice(*places[each.dialogue, 2 * each.turn - back])] for back in (2, 1))
        found.append(measure_value(before, after, each.turn - 1))
    return np.array(found)


def fit_layers(features: Numbers, rewards: Numbers, penalty: float = PENALTY) -> tuple[Layer, ...]:
    """One layer σ(w · x + b) of least mean squared error (equation 3), plus penalty · |w · deviation|²."""
    weights, bias = fit_head(features, rewards, penalty)
    return (Layer(weights[None, :], np.array([bias])),)


def _list_places(dialogues: NDArray[np.int64], table: EvidenceTable) -> dict[tuple[int, int], tuple[int, int]]:
    """Where the moments of a dialogue after so many turns begin and end."""
    changed = (np.diff(dialogues) != 0) | (np.diff(table.turns) != 0)
    starts = [0, *(np.flatnonzero(changed) + 1).tolist()]
    ends = [*starts[1:], len(dialogues)]
    return {
        (int(dialogues[start]), int(table.turns[start])): (start, end) for start, end in zip(starts, ends, strict=True)
    }
