"""Exercises to practise with, by topic or week. Solutions stay with the course team."""

import re
from typing import Annotated, Any

from data.course import Course, Exercise
from scribe.tool import Tool
from tools.arguments import no_data, week_bounds, week_of, words_of
from tools.index import Entry, Index, Vault
from tools.wording import listed, plain, shortened

POOR = 0.38
SHOWN = 3
_WEEK = re.compile(r"\b(?:week|wk|w)\s*(\d{1,2})\b", re.IGNORECASE)
# Words of a query that name no subject.
_EMPTY_WORDS = re.compile(
    r"\b(an?|the|any|some|more|all|of|on|in|for|from|to|about|with|me|my|give|show|find|list|exercises?|"
    r"problems?|tasks?|questions?|practi[cs]e|homework|worksheets?|drills?|sets?)\b|[^\w/-]",
    re.IGNORECASE,
)


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    index = Index(tuple(_entry(exercise) for exercise in course.exercises), vault)

    def exercise_search(
        query: str, week: Annotated[int | None, week_bounds(course)] = None
    ) -> dict[str, Any]:
        """Up to three exercises for practice on a topic, from one week if it is given."""
        said = words_of(query)
        mentioned = _WEEK.search(said)
        number = week if week is not None else int(mentioned[1]) if mentioned else None
        subject = " ".join(_EMPTY_WORDS.sub(" ", _WEEK.sub(" ", said)).split())
        if number is not None:
            week_of(course, number)
            return _of_week(course, index, number, subject)
        hits = index.search(subject or said)
        fitting = [hit.place for hit in hits if hit.score >= POOR]
        if not fitting:
            return no_data(
                f"There is no exercise on {shortened(subject or said, 8)}.",
                f"Ask for a topic of the course or for a week from 1 to {course.weeks}.",
            )
        return _told([course.exercises[place] for place in fitting])

    return Tool.of(exercise_search)


def _of_week(course: Course, index: Index, week: int, subject: str) -> dict[str, Any]:
    places = [place for place, exercise in enumerate(course.exercises) if exercise.week == week]
    if not places:
        return no_data(f"There are no exercises for week {week}.", "Ask for exercises of another week.")
    if not subject:
        return _told([course.exercises[place] for place in places])
    hits = index.search(subject)
    best = course.exercises[hits[0].place]
    if hits[0].named and all(hit.place not in places for hit in hits if hit.named):
        return no_data(
            f"Week {week} has no exercise on {best.topic}.", f"{best.topic} is practised in week {best.week}."
        )
    return _told([course.exercises[hit.place] for hit in hits if hit.place in places])


def _told(exercises: list[Exercise]) -> dict[str, Any]:
    named = [f"{shortened(one.title, 12)} ({one.id})" for one in exercises[:SHOWN]]
    return {"says": f"These exercises fit: {listed(named)}.", "start": f"Start with {exercises[0].id}."}


def _entry(exercise: Exercise) -> Entry:
    return Entry((exercise.topic,), (f"{exercise.topic}. {exercise.title}. {plain(exercise.text)}",))
