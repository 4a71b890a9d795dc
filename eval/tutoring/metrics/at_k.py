"""Recall@k and Pass@k of one task's programs, and their mean over the k of the paper (section 4.3)."""

import math
from collections.abc import Callable, Sequence

K = (1, 3, 5, 10)
"""The numbers of programs over which the paper averages."""


def estimate_pass(passed: Sequence[bool], k: int) -> float:
    """Pass@k, unbiased: 1 − C(n − c, k) / C(n, k) for c of n programs that pass (Chen et al. 2021, arXiv:2107.03374).

    The paper's equation 5. Raises ValueError unless 1 ≤ k ≤ n.
    """
    n, c = len(passed), sum(passed)
    _require(n, k)
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def estimate_recall(recalls: Sequence[float], k: int) -> float:
    """Recall@k as the expected largest recall of k of the n programs, drawn without putting back.

    Equation 4 has the largest of k programs; of n ≥ k of them this is its mean over all subsets, as Pass@k is. With
    the recalls in ascending order r_1 ≤ … ≤ r_n it is Σ r_i · C(i − 1, k − 1) / C(n, k): r_i is the largest of the
    subsets that have i and k − 1 below it. Raises ValueError unless 1 ≤ k ≤ n.
    """
    n = len(recalls)
    _require(n, k)
    total = sum(recall * math.comb(at, k - 1) for at, recall in enumerate(sorted(recalls)))
    return total / math.comb(n, k)


def take_first_recall(recalls: Sequence[float], k: int) -> float:
    """Recall@k as the authors' code has it: the largest recall of the first k programs, which depends on their order.

    Raises ValueError unless 1 ≤ k ≤ n.
    """
    _require(len(recalls), k)
    return max(recalls[:k])


def average_over_k(values: Sequence[float], measure: Callable[[Sequence[float], int], float]) -> float:
    """The mean of a measure over those k of the paper that are not more than there are programs."""
    chosen = [k for k in K if k <= len(values)]
    return sum(measure(values, k) for k in chosen) / len(chosen)


def average_pass(passed: Sequence[bool]) -> float:
    """The paper's Pass of one task: the mean of Pass@k."""
    return average_over_k(passed, lambda each, k: estimate_pass([bool(one) for one in each], k))


def average_recall(recalls: Sequence[float]) -> float:
    """The Recall of one task: the mean of Recall@k over subsets."""
    return average_over_k(recalls, estimate_recall)


def average_first_recall(recalls: Sequence[float]) -> float:
    """The Recall of one task as the authors compute it: the mean of the first-k Recall@k."""
    return average_over_k(recalls, take_first_recall)


def _require(n: int, k: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"k must be 1 to {n}, not {k}")
