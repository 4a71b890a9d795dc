"""A student's question as a task: the report it is about, and what the model may know of the course."""

from collections.abc import Sequence

from data.course import BundleError, Course
from scribe.trajectory import Exchange, Task
from tools.conversation.language import detect_language

LANGUAGES = {"en": "English", "fr": "French"}
THEORIES = {
    "nr": "What the outlook rests on (necessary causes)",
    "ac": "What stood out (unusual and recent)",
    "con": "What made the difference (contrast)",
}
"""The kinds of report, by the letters in their file names, in words for a student."""


def make_task(
    course: Course, student_id: str, question: str, theory: str = "nr", history: Sequence[Exchange] = ()
) -> Task:
    """The task for one question. Raises BundleError for an unknown student or a theory without a report."""
    student = course.student(student_id)
    if theory not in student.reports:
        known = ", ".join(student.reports) or "none"
        raise BundleError(f"student {student.id} has no report of the theory {theory!r}; there are: {known}")
    language = detect_language(question, course.language, [each.question for each in history])
    return Task(
        course=course.id,
        student=student.id,
        question=question,
        report=student.reports[theory],
        about=describe_course(course),
        history=tuple(history),
        language=LANGUAGES.get(language, language),
        theory=theory,
    )


def describe_course(course: Course) -> str:
    """One line on the course that every prompt carries."""
    done, left = course.weeks_done, course.weeks_done + 1
    over = f"weeks 1 to {done} are over" if done > 1 else "week 1 is over"
    following = f" and week {left} comes next" if left <= course.weeks else ""
    return f"{course.title} ({course.id}) has weeks 1 to {course.weeks}; {over}{following}."
