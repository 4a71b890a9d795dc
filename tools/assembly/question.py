"""From a course, a student and a question to the task: what is refused, and how it is said."""

import unicodedata
from collections.abc import Sequence

from data.course import Course, Student
from scribe.errors import UsageError
from scribe.trajectory import Exchange, Task
from tools import task as tasks
from tools.task import THEORIES

LONGEST_QUESTION = 2000


def make_task(course: Course, student: Student, question: str, theory: str, history: Sequence[Exchange] = ()) -> Task:
    """One question as a task. Raises UsageError for a question or a kind of report that cannot be used."""
    find_report(student, theory)
    return tasks.make(course, student.id, clean_question(question), theory, history)


def find_report(student: Student, theory: str) -> str:
    """The student's report of this kind. Raises UsageError naming the kinds there are."""
    if theory not in THEORIES:
        raise UsageError(f"no kind of report is called {theory!r}; there are {', '.join(THEORIES)}")
    if theory not in student.reports:
        there = ", ".join(sorted(student.reports)) or "none"
        raise UsageError(f"student {student.id} has no {theory} report; there are: {there}")
    return student.reports[theory]


def clean_question(question: str) -> str:
    """The question without control characters. Raises UsageError if it is empty, too long or no text."""
    if any(unicodedata.category(each) == "Cs" for each in question):
        raise UsageError("the question is not readable text; write it in UTF-8")
    kept = (each if each in "\n\t" or unicodedata.category(each) != "Cc" else " " for each in question)
    text = "".join(kept).strip()
    if not any(each.isalnum() for each in text):
        raise UsageError('the question is empty; ask something, e.g. "What is week 6 about?"')
    if len(text) > LONGEST_QUESTION:
        raise UsageError(f"the question has {len(text)} characters; at most {LONGEST_QUESTION} can be read")
    return text
