"""How well foretold rewards tell dialogues that end well from others, with intervals by tasks."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from eval.significance import Interval
from eval.tutoring.metrics.bootstrap import Estimate, estimate
from finetune.verifier.samples import TurnSample

Numbers = NDArray[np.float64]
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class VerifierScores:
    """auc: of the outcome among dialogues alive at the same turn, each turn weighing by its pairs; by_turn: of each.

    brier: mean squared distance from the reward of equations 1 and 2. pairwise: of two dialogues of the same task,
    level and turn with different outcomes, how often the better has the higher reward (ties count half); this alone is
    about tutoring, the others also about which tasks are hard. pairs: how many there are.
    """

    auc: Estimate
    brier: Estimate
    pairwise: Estimate
    pairs: int
    by_turn: dict[int, Estimate]


def score_rewards(samples: Sequence[TurnSample], rewards: Numbers) -> VerifierScores:
    """Scores of rewards (N,) that were foretold by models which had not seen the tasks."""
    turns = sorted({each.turn for each in samples})
    by_turn = {turn: _score_auc(samples, rewards, (turn,)) for turn in turns}
    pairs = count_pairs(samples, rewards)
    ordered = np.array(list(pairs.values()), dtype=float).reshape(-1, 2)
    squares = defaultdict[str, list[float]](list)
    for sample, reward in zip(samples, rewards, strict=True):
        squares[sample.task].append((float(reward) - sample.reward) ** 2)
    sums = np.array([(sum(each), len(each)) for each in squares.values()], dtype=float)
    pairwise = estimate(_divide, ordered) if ordered.sum() else Estimate(None, None)
    auc = _score_auc(samples, rewards, turns)
    return VerifierScores(auc, estimate(_divide, sums), pairwise, int(ordered[:, 1].sum()), by_turn)


def count_pairs(samples: Sequence[TurnSample], rewards: Numbers) -> dict[str, tuple[float, int]]:
    """For each task the pairs in the right order, ties half, and all pairs: same task, level and turn."""
    groups = defaultdict[tuple[str, str, int], tuple[list[float], list[float]]](lambda: ([], []))
    for sample, reward in zip(samples, rewards, strict=True):
        groups[sample.task, sample.level, sample.turn][sample.success].append(float(reward))
    counts: dict[str, tuple[float, int]] = {each.task: (0.0, 0) for each in samples}
    for (task, _, _), (worse, better) in groups.items():
        right = sum(_compare(high, low) for high, low in product(better, worse))
        counts[task] = counts[task][0] + right, counts[task][1] + len(worse) * len(better)
    return counts


def _compare(high: float, low: float) -> float:
    return 1.0 if high > low else 0.5 if high == low else 0.0


def _divide(means: Numbers) -> Numbers:
    return np.asarray(means[..., 0] / means[..., 1])


def _score_auc(samples: Sequence[TurnSample], rewards: Numbers, turns: Sequence[int]) -> Estimate:
    """The AUC, pooled over turns by their pairs, and its interval: tasks are drawn anew, pairs are of all tasks drawn.

    Counted from a table of right pairs between tasks, so that a resample is two products.
    """
    tasks = sorted({each.task for each in samples})
    right, pairs = np.zeros((2, len(tasks), len(tasks)))
    for turn in turns:
        better, worse = (list(_list_alive(samples, rewards, tasks, turn, success)) for success in (True, False))
        if not better or not worse:
            continue
        (one, high), (other, low) = (tuple(map(np.array, zip(*each, strict=True))) for each in (better, worse))
        won = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
        places = np.repeat(one, len(other)), np.tile(other, len(one))
        np.add.at(right, places, won.ravel())
        np.add.at(pairs, places, 1.0)
    return _draw_tasks(right, pairs)


def _list_alive(
    samples: Sequence[TurnSample], rewards: Numbers, tasks: Sequence[str], turn: int, success: bool
) -> Iterator[tuple[int, float]]:
    place = {name: at for at, name in enumerate(tasks)}
    for sample, reward in zip(samples, rewards, strict=True):
        if sample.turn == turn and sample.success == success:
            yield place[sample.task], float(reward)


def _draw_tasks(right: Numbers, pairs: Numbers, seed: int = 0) -> Estimate:
    if not pairs.sum():
        return Estimate(None, None)
    count = len(pairs)
    draws = np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))
    weights = np.apply_along_axis(np.bincount, 1, draws, minlength=count).astype(float)
    total: Callable[[Numbers], Numbers] = lambda table: np.einsum("ri,ij,rj->r", weights, table, weights, optimize=True)  # noqa: E731
    among = total(pairs)
    found = total(right)[among > 0] / among[among > 0]
    low, high = np.percentile(found, (2.5, 97.5))
    return Estimate(float(right.sum() / pairs.sum()), Interval(float(low), float(high)))
