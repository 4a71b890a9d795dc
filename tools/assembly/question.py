"""From a course, a student and a question to the task: what is refused, and how it is said."""

import unicodedata
from collections.abc import Sequence
from typing import Literal

from data.course import Course, Student
from scribe.errors import UsageError
from scribe.trajectory import Exchange, Task
from tools.conversation import task as tasks
from tools.conversation.task import THEORIES

LONGEST_QUESTION = 2000
Refusal = Literal["report", "no_report", "unreadable", "empty", "long"]


class QuestionRefused(UsageError):
    """A question that cannot be asked. kind: why, for whoever says it in other words or another language."""

    def __init__(self, kind: Refusal, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def make_task(course: Course, student: Student, question: str, theory: str, history: Sequence[Exchange] = ()) -> Task:
    """One question as a task. Raises UsageError for a question or a kind of report that cannot be used."""
    find_report(student, theory)
    return tasks.make_task(course, student.id, clean_question(question), theory, history)


def find_report(student: Student, theory: str) -> str:
    """The student's report of this kind. Raises UsageError naming the kinds there are."""
    if theory not in THEORIES:
        raise UsageError(f"no kind of report is called {theory!r}; there are {', '.join(THEORIES)}")
    if theory not in student.reports:
        there = ", ".join(sorted(student.reports)) or "none"
        kind: Refusal = "report" if student.reports else "no_report"
        raise QuestionRefused(kind, f"student {student.id} has no {theory} report; there are: {there}")
    return student.reports[theory]


def clean_question(question: str) -> str:
    """The question without control characters. Raises UsageError if it is empty, too long or no text."""
    if any(unicodedata.category(each) == "Cs" for each in question):
        raise QuestionRefused("unreadable", "the question is not readable text; write it in UTF-8")
    kept = (each if each in "\n\t" or unicodedata.category(each) != "Cc" else " " for each in question)
    text = "".join(kept).strip()
    if not any(each.isalnum() for each in text):
        raise QuestionRefused("empty", 'the question is empty; ask something, e.g. "What is week 6 about?"')
    if len(text) > LONGEST_QUESTION:
        told = f"the question has {len(text)} characters; at most {LONGEST_QUESTION} can be read"
        raise QuestionRefused("long", told)
    return text
