"""What a hint and the names behind it settle together, which a small model is bad at.

It counts no weeks: "and the one after?" behind a question on week 5 is about week 6. And who wants to get better at a
topic wants exercises on it rather than advice on how to study.
"""

from dataclasses import replace

from data.course import Course
from tools.reading.hints import AND, MOST, OR
from tools.reading.known_questions import AGAIN, asks
from tools.reading.naming import Named


def settled(hint: str, here: Named, before: Named, course: Course) -> tuple[str, Named, Named]:
    """The hint, what the question names and what it takes from before, with what follows from each other."""
    if AND in hint:
        return hint, here, before
    first, *others = hint.split(OR)
    if found := _week_again(first, here, before):
        asked, week = found
        return (asked, replace(here, weeks=(week,)), Named()) if 1 <= week <= course.weeks else (hint, here, before)
    exercises = asks("exercises_topic")
    if first == asks("improve") and here.topics and not here.weeks:
        return OR.join([exercises, first, *(each for each in others if each != exercises)][:MOST]), here, before
    return hint, here, before


def _week_again(reading: str, here: Named, before: Named) -> tuple[str, int] | None:
    """What is asked again and of which week, if it is the one after or before the only one that was talked about."""
    for kind, step in AGAIN.items():
        end = f", {asks(kind)}"
        if step and reading.endswith(end) and len(before.weeks) == 1 and not here.weeks:
            return reading.removesuffix(end), before.weeks[0] + step
    return None
