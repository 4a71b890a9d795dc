"""A student's question as a task: the report it is about, and what the model may know of the course."""

import re
from collections.abc import Sequence

from data.course import BundleError, Course
from scribe.figures import weeks
from scribe.trajectory import Exchange, Task

LANGUAGES = {"en": "English", "fr": "French"}
THEORIES = {
    "nr": "What the outlook rests on (necessary causes)",
    "ac": "What stood out (unusual and recent)",
    "con": "What made the difference (contrast)",
}
"""The kinds of report, by the letters in their file names, in words for a student."""


NO_SUCH_WEEK = ", about week "
"""What stands in a hint before a week that the course does not have."""
LAST_WEEK = 60
"""A larger number behind the word is none of a week."""
_COUNTED = re.compile(
    r"\d+(?:[.,]\d+)?\s*(?:%|percent|pour cent|h\b|hours?|heures?|min|exerci[sc]es?|problems?|tasks?|videos?|vidéos?|"
    r"quiz|clicks?|clics?|times?\b|fois|questions?|sessions?|séances?|lectures?|days?|jours?|points?|pages?)",
    re.IGNORECASE,
)


def make(
    course: Course,
    student_id: str,
    question: str,
    theory: str = "nr",
    history: Sequence[Exchange] = (),
    hint: str = "",
) -> Task:
    """The task for one question. Raises BundleError for an unknown student or a theory without a report."""
    student = course.student(student_id)
    if theory not in student.reports:
        known = ", ".join(student.reports) or "none"
        raise BundleError(f"student {student.id} has no report of the theory {theory!r}; there are: {known}")
    return Task(
        course=course.id,
        student=student.id,
        question=question,
        report=student.reports[theory],
        about=about(course),
        history=tuple(history),
        language=LANGUAGES.get(course.language, course.language),
        theory=theory,
        hint=hinted(hint, question, course.weeks),
    )


def hinted(hint: str, question: str, last: int) -> str:
    """The hint, if there is one, and behind it the first week in the question that a course of `last` weeks lacks.

    A small model is bad at comparing numbers. What is counted is no week: "last week 15 exercises".
    """
    named = weeks(_COUNTED.sub("", question))
    beyond = sorted(week for week in named if last < week <= LAST_WEEK)
    return f"{hint}{NO_SUCH_WEEK}{beyond[0]}, which this course does not have" if hint and beyond else hint


def about(course: Course) -> str:
    """One line on the course that every prompt carries."""
    done, left = course.weeks_done, course.weeks_done + 1
    over = f"weeks 1 to {done} are over" if done > 1 else "week 1 is over"
    following = f" and week {left} comes next" if left <= course.weeks else ""
    return f"{course.title} ({course.id}) has weeks 1 to {course.weeks}; {over}{following}."
