"""Recall@k and Pass@k for each k, before and after tutoring, as the paper's Fig. 6 has them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from eval.tutoring.metrics.at_k import K, estimate_pass, estimate_recall
from eval.tutoring.metrics.bootstrap import Estimate, Values, estimate
from eval.tutoring.metrics.scores import TutorScores
from eval.tutoring.protocol.record import CodingTest, MeasuredSession
from eval.tutoring.students.student import LEVELS

AT_K: Mapping[str, Callable[[CodingTest, int], float]] = {
    "recall": lambda test, k: estimate_recall([each.recall for each in test.programs], k),
    "pass": lambda test, k: estimate_pass([each.passed for each in test.programs], k),
}


def list_k(sessions: Iterable[MeasuredSession]) -> tuple[int, ...]:
    """Those k of the paper for which every coding test has programs enough."""
    least = min((len(test.programs) for session in sessions for test in session.tests), default=0)
    return tuple(k for k in K if k <= least)


def measure_at_k(
    sessions: Sequence[MeasuredSession], scores: TutorScores, measure: str, k: int, at: int, group: str = "overall"
) -> Estimate:
    """One measure at one k in percent over the tasks of `scores`, with its interval by tasks.

    at: 0 for the test before the dialogue, −1 for the last one. group: a level, or overall, the mean over levels.
    """
    levels = LEVELS if group == "overall" else [level for level in LEVELS if level == group]
    found: dict[tuple[str, str], list[float]] = {(task, level): [] for task in scores.tasks for level in levels}
    for session in sessions:
        key = session.key
        if key.tutor == scores.tutor and (key.task, key.level) in found:
            found[key.task, key.level].append(AT_K[measure](session.tests[at], k))
    values: Values = np.array([[np.mean(found[task, level]) for level in levels] for task in scores.tasks])
    return estimate(lambda means: means[..., 0], 100 * values.mean(axis=1, keepdims=True))
