"""Verifiers that are asked only about tasks which they have not seen: one for each fold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from finetune.verifier.dialogues import TaughtDialogue
from finetune.verifier.rivals import TAIL, embed_samples, fit_linear, list_rewards
from finetune.verifier.samples import TurnSample, assign_folds
from finetune.verifier.traced import UntracedVerifier, fit_layers, list_value_features, measure_turn
from finetune.verifier.tracers import FoldTracer, TracingRows
from scribe.plumbing.progress import OnCount
from scribe.tutor.session import TutoringSession
from scribe.verify.bayesian import BayesianTracer
from scribe.verify.learned import LearnedTracer
from scribe.verify.state_verifier import StateVerifier
from scribe.verify.verifier_input import write_verifier_input
from scribe.verify.verifying import ValuedTurns, Verifier
from tools.embedding.embedders import Embedder

TRACED, UNTRACED, EMBEDDED = "by-verifier", "by-untraced", "by-embeddings"


@dataclass(frozen=True, slots=True)
class FoldedVerifier:
    """folds: the fold of each task; verifiers: by fold, trained on the tasks of all others."""

    folds: Mapping[str, int]
    verifiers: Sequence[Verifier]

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """By the one that does not know the session's task. Raises BackendError."""
        return self.verifiers[self.folds[session.brief.task]].value(session, candidates)


@dataclass(frozen=True, slots=True)
class EmbeddedVerifier:
    """The linear model on embeddings at run time. model: a regression of scikit-learn's."""

    embedder: Embedder
    model: Any

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """A reward for each candidate."""
        context = write_verifier_input(session, "").context[-TAIL:]
        vectors = np.asarray(self.embedder.embed([context, *(each or " " for each in candidates)]), dtype=np.float64)
        features = [np.concatenate([vectors[0], each, [session.rounds + 1]]) for each in vectors[1:]]
        rewards = self.model.predict(np.array(features)).clip(0.0, 1.0)
        return ValuedTurns(tuple(float(each) for each in rewards))


def train_folded(
    dialogues: Sequence[TaughtDialogue],
    samples: Sequence[TurnSample],
    rows: TracingRows,
    trained: Sequence[FoldTracer],
    embedder: Embedder,
    on_count: OnCount,
) -> dict[str, FoldedVerifier]:
    """The verifier that asks the tracer, one that reads the turn alone, and the linear one on embeddings, by name."""
    folds = assign_folds((each.task for each in samples), len(trained))
    fold, rewards = np.array([folds[each.task] for each in samples]), list_rewards(samples)
    read = np.array([measure_turn(dialogues[each.dialogue].before(each.turn - 1), each.text) for each in samples])
    embedded = embed_samples(samples, embedder, on_count)
    found: dict[str, list[Verifier]] = {TRACED: [], UNTRACED: [], EMBEDDED: []}
    for number, tracer in enumerate(trained):
        learned = fold != number
        values = list_value_features(samples, rows, tracer.beliefs)
        asked = LearnedTracer(tracer.layers, BayesianTracer(tracer.fitted))
        found[TRACED].append(StateVerifier(asked, fit_layers(values[learned], rewards[learned])))
        found[UNTRACED].append(UntracedVerifier(fit_layers(read[learned], rewards[learned])))
        found[EMBEDDED].append(EmbeddedVerifier(embedder, fit_linear(embedded[learned], rewards[learned])))
    return {name: FoldedVerifier(folds, each) for name, each in found.items()}
