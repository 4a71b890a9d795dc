"""What dialogues were like: their length, how much of what a tutor says is heard, tokens, and how right tracing was."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from eval.tutoring.metrics.bootstrap import Estimate, Values, estimate
from eval.tutoring.protocol.record import MeasuredSession
from scribe.tutor.session import MAX_WORDS

SHARPEST = 0.01
"""Probabilities nearer to 0 or 1 count as this near: one sure mistake would else weigh more than all the rest."""


@dataclass(frozen=True, slots=True)
class DialogueFigures:
    """Of one tutor's sessions. reached: share that ended at the goal; rounds: of a session, the mean.

    words: of a tutor's turn, the mean; overloaded: share of turns beyond the words that are heard; lost: share of all
    words that were not. unruled: moderators' rulings that could not be read. prompt, completion: tokens of a session.
    """

    sessions: int
    reached: float
    rounds: float
    words: float
    overloaded: float
    lost: float
    unruled: int
    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class TracingFigures:
    """A tutor's beliefs against what students knew when it spoke. pairs: of component and turn.

    loss: mean −ln of the probability that was given to the truth; brier: mean squared error; always: the loss of who
    says the share of known components each time; better: always − loss, with its interval by tasks.
    """

    pairs: int
    loss: float
    brier: float
    always: float
    better: Estimate


def describe_dialogues(sessions: Iterable[MeasuredSession]) -> DialogueFigures | None:
    """None of no session with a dialogue."""
    held = [session for session in sessions if session.rounds]
    turns = [each for session in held for each in session.rounds]
    if not turns:
        return None
    words = np.array([len(each.tutor.text.split()) for each in turns])
    lost = np.maximum(words - MAX_WORDS, 0)
    return DialogueFigures(
        sessions=len(held),
        reached=sum(session.end == "goal" for session in held) / len(held),
        rounds=len(turns) / len(held),
        words=float(words.mean()),
        overloaded=float((lost > 0).mean()),
        lost=float(lost.sum() / max(1, words.sum())),
        unruled=sum(not each.ruled for each in turns),
        prompt=sum(each.tutor.use.prompt for each in turns) / len(held),
        completion=sum(each.tutor.use.completion for each in turns) / len(held),
    )


def measure_tracing(sessions: Iterable[MeasuredSession]) -> TracingFigures | None:
    """None where the tutor said no beliefs, or where nobody knows what students know."""
    pairs = [(session.key.task, *pair) for session in sessions for pair in _pair_beliefs(session)]
    if not pairs:
        return None
    believed = np.clip([belief for _, belief, _ in pairs], SHARPEST, 1 - SHARPEST)
    true = np.array([known for _, _, known in pairs], dtype=np.float64)
    losses = -(true * np.log(believed) + (1 - true) * np.log(1 - believed))
    tasks = np.unique([task for task, _, _ in pairs], return_inverse=True)[1]
    sums = np.stack([np.bincount(tasks, weights) for weights in (np.ones_like(true), true, losses)], axis=1)
    better = estimate(lambda means: _measure_entropy(means) - means[..., 2] / means[..., 0], sums)
    always = float(_measure_entropy(sums.mean(axis=0)))
    return TracingFigures(len(pairs), float(losses.mean()), float(np.mean((believed - true) ** 2)), always, better)


def _measure_entropy(means: Values) -> Values:
    """Mean loss of who says the share known each time; means: (…, pairs, known, loss)."""
    share = np.clip(means[..., 1] / means[..., 0], SHARPEST, 1 - SHARPEST)
    true = means[..., 1] / means[..., 0]
    loss: Values = -(true * np.log(share) + (1 - true) * np.log(1 - share))
    return loss


def _pair_beliefs(session: MeasuredSession) -> Iterator[tuple[float, bool]]:
    """Each belief that a tutor had as it spoke, and whether the student then knew the component."""
    known = session.prior
    for each in session.rounds:
        if known is not None:
            yield from ((belief, name in known) for name, belief in each.tutor.belief.items())
        known = each.known
