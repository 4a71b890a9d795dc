"""A student's question as a task: the report it is about, and what the model may know of the course."""

from collections.abc import Sequence

from data.course import BundleError, Course
from scribe.trajectory import Exchange, Task
from tools.reading import week_names
from tools.reading.asked_in import language
from tools.reading.naming import Naming, told
from tools.reading.settled import settled

LANGUAGES = {"en": "English", "fr": "French"}
THEORIES = {
    "nr": "What the outlook rests on (necessary causes)",
    "ac": "What stood out (unusual and recent)",
    "con": "What made the difference (contrast)",
}
"""The kinds of report, by the letters in their file names, in words for a student."""


NO_SUCH_WEEK = ", about week "
"""What stands in a hint before a week that the course does not have."""


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
    spoken = language(question, course.language, [each.question for each in history])
    return Task(
        course=course.id,
        student=student.id,
        question=question,
        report=student.reports[theory],
        about=about(course),
        history=tuple(history),
        language=LANGUAGES.get(spoken, spoken),
        theory=theory,
        hint=hint,
    )


def hinted(hint: str, question: str, naming: Naming, history: Sequence[Exchange] = (), spoken: str = "") -> str:
    """The hint, if there is one, and behind it what the question names and the first week that the course lacks.

    history: only if the question leans on it. spoken: see `Naming`. A small model is bad at comparing numbers.
    """
    if not hint:
        return ""
    beyond = [week for week in week_names.weeks(question, naming.course) if week > naming.course.weeks]
    lacks = f"{NO_SUCH_WEEK}{beyond[0]}, which this course does not have" if beyond else ""
    asked, here, before = settled(hint, *naming.parts(question, history, spoken), naming.course)
    return f"{asked}{told(here, before)}{lacks}"


def code(language: str) -> str:
    """The code of a language as `Task.language` names it: "fr" of "French"."""
    return next((code for code, name in LANGUAGES.items() if name == language), language)


def about(course: Course) -> str:
    """One line on the course that every prompt carries."""
    done, left = course.weeks_done, course.weeks_done + 1
    over = f"weeks 1 to {done} are over" if done > 1 else "week 1 is over"
    following = f" and week {left} comes next" if left <= course.weeks else ""
    return f"{course.title} ({course.id}) has weeks 1 to {course.weeks}; {over}{following}."
