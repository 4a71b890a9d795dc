"""Exercises to practise with, by topic or week. Solutions stay with the course team."""

from typing import Annotated, Any

from data.course import Exercise
from scribe.tool import Tool
from tools.search.corpus import open_corpus
from tools.search.text import shorten, strip_markdown
from tools.view import StudentView, clean_query, find_week, no_data, week_bounds

POOR = 0.47
"""Less similar than this is about something else."""
SHOWN = 3
WORDS = 22
"""Words of each exercise's text that are shown."""


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it is the same for every student."""
    course = view.course

    def exercise_search(query: str, week: Annotated[int | None, week_bounds(course)] = None) -> dict[str, Any]:
        """Up to three exercises for practice on a topic, only from one week if it is given."""
        said = clean_query(query)
        if week is not None:
            find_week(course, week)
        hits = open_corpus(course, view.store).search_exercises(said)
        ranked = [(course.exercises[hit.place], hit.named or hit.fit >= POOR) for hit in hits]
        found = [one for one, fits in ranked if (one.week == week if week is not None else fits)]
        if not found:
            elsewhere = [f"{one.topic}, week {one.week}" for one, _ in ranked[:SHOWN]]
            return no_data("There is no exercise on this.", closest=list(dict.fromkeys(elsewhere)))
        return {"exercises": [_show(view, one) for one in found[:SHOWN]], "more": max(0, len(found) - SHOWN)}

    return Tool.of(exercise_search)


def _show(view: StudentView, one: Exercise) -> dict[str, Any]:
    text = shorten(strip_markdown(one.text), WORDS)
    return {"id": one.id, "title": one.title, "week": one.week, "topic": view.topic(one.topic), "text": text}
