"""Which answers a share is over: all, or those of courses that a model has seen in training, or has not."""

from collections.abc import Collection
from dataclasses import dataclass

from eval.report.runs import Run
from eval.tool_use.answered import Answered


@dataclass(frozen=True, slots=True)
class Scope:
    """id: for the names of files. title: for people. courses: those it has; None is all."""

    id: str
    title: str
    courses: frozenset[str] | None = None

    def __call__(self, row: Answered) -> bool:
        """Whether the answer belongs to it."""
        return self.courses is None or row.course in self.courses


ALL = Scope("all", "all courses")


def scopes(runs: Collection[Run], unseen: Collection[str]) -> tuple[Scope, ...]:
    """All courses; with courses unseen in training, those apart too (the two halves of the paper's Fig. 4)."""
    there = {row.course for run in runs for row in run.answers}
    new, old = there & set(unseen), there - set(unseen)
    if not new or not old:
        return (ALL,)
    return (ALL, _scope("seen", "courses seen in training", old), _scope("unseen", "courses unseen in training", new))


def _scope(id: str, title: str, courses: set[str]) -> Scope:
    return Scope(id, f"{title} ({', '.join(sorted(courses))})", frozenset(courses))
