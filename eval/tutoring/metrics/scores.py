"""What was measured of one tutor as numbers by task, level and round, from its sessions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.tutoring.metrics.at_k import average_first_recall, average_pass, average_recall
from eval.tutoring.metrics.bootstrap import Values
from eval.tutoring.protocol.record import CodingTest, MeasuredSession
from eval.tutoring.students.student import LEVELS
from scribe.tutor.session import MAX_ROUNDS

Measure = Callable[[CodingTest], float]
MEASURES: Mapping[str, Measure] = {
    "recall": lambda test: average_recall([each.recall for each in test.programs]),
    "recall_first_k": lambda test: average_first_recall([each.recall for each in test.programs]),
    "pass": lambda test: average_pass([each.passed for each in test.programs]),
}
"""What a coding test says: Recall over subsets, as the authors compute it, and Pass; each the mean over k."""


@dataclass(frozen=True, slots=True)
class TutorScores:
    """One tutor's curves. tasks: those with sessions of every level, in the curves' order; missing: other tasks.

    curves: for each measure (tasks, levels, rounds + 1), 0 to 1, the mean over seeds; round 0 is the pre-test, and a
    dialogue that has ended keeps its last value.
    """

    tutor: str
    tasks: tuple[str, ...]
    missing: tuple[str, ...]
    curves: Mapping[str, Values]

    def select(self, tasks: Sequence[str]) -> "TutorScores":
        """Only these tasks, in this order."""
        places = [self.tasks.index(task) for task in tasks]
        curves = {name: curve[places] for name, curve in self.curves.items()}
        return TutorScores(self.tutor, tuple(tasks), self.missing, curves)


def collect_scores(sessions: Iterable[MeasuredSession], tutor: str, wanted: Iterable[str] = ()) -> TutorScores:
    """The scores of one tutor; wanted: all tasks of the run. A task without a session at some level is missing."""
    found: dict[tuple[str, str], list[MeasuredSession]] = defaultdict(list)
    for session in sessions:
        if session.key.tutor == tutor:
            found[session.key.task, session.key.level].append(session)
    every = sorted({task for task, _ in found} | set(wanted))
    tasks = [task for task in every if all(found[task, level] for level in LEVELS)]
    missing = tuple(task for task in every if task not in tasks)
    curves = {name: _draw_curves(found, tasks, measure) for name, measure in MEASURES.items()}
    return TutorScores(tutor, tuple(tasks), missing, curves)


def _draw_curves(
    found: Mapping[tuple[str, str], Sequence[MeasuredSession]], tasks: Sequence[str], measure: Measure
) -> Values:
    curves = np.zeros((len(tasks), len(LEVELS), MAX_ROUNDS + 1))
    for row, task in enumerate(tasks):
        for column, level in enumerate(LEVELS):
            drawn = [_draw_curve(session, measure) for session in found[task, level]]
            curves[row, column] = np.mean(drawn, axis=0)
    return curves


def _draw_curve(session: MeasuredSession, measure: Measure) -> Values:
    """A measure after each round, carried forward behind the last."""
    values = [measure(test) for test in session.tests]
    return np.array([values[min(at, len(values) - 1)] for at in range(MAX_ROUNDS + 1)])
