"""How the first thought begins of a model that was trained on our lessons: with one of the readings in its hint.

A small model chooses well among the readings that a hint names, and badly beside them: a short question that it has
never seen it takes for a greeting. A model that writes freely needs no such rule.
"""

from functools import cache

from scribe.trajectory import Task
from tools.reading.known_questions import OF_TOPIC, asks, kinds, subjects
from tools.reading.readings import readings

ONE, TWO = "The question is ", "Two things are asked. "


def openings(task: Task) -> tuple[str, ...]:
    """The beginnings of a first thought that the task's hint allows; empty, so any, without a hint or a clear one.

    In an order that does not depend on which is likeliest, so that fewer grammars are needed.
    """
    named = readings(task.hint)
    if not named or not _known().issuperset(named):
        return ()
    whole = [f"{ONE}{each}" for each in sorted(set(named))]
    return (*whole, *(f"{TWO}{each}" for each in whole))


@cache
def _known() -> frozenset[str]:
    """All that can be asked but the same as before."""
    alone = {asks(kind) for kind in kinds() if kind != "syllabus"}
    return frozenset(alone | {asks(OF_TOPIC)} | {asks("syllabus", subject) for subject in subjects()})
