"""A course of four weeks with six students, two weeks in, small enough to check by hand."""

import zlib
from collections.abc import Sequence

import numpy as np

from data.course import (
    Course,
    Exercise,
    Grade,
    GradedItem,
    Importance,
    Prerequisite,
    Section,
    Student,
    Week,
)
from tools.embedding.embedders import Role, Vectors

HOURS = 3600.0
STOP_WORDS = {"the", "a", "an", "of", "is", "in", "on", "to", "and", "it", "for", "what", "how", "i", "do"}


class ScriptedEmbedder:
    """Texts are as similar as the words they share; counts how many texts it was given."""

    def __init__(self, fingerprint: str = "scripted") -> None:
        self.fingerprint = fingerprint
        self.languages = ("en",)
        self.texts = 0

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        self.texts += len(texts)
        rows = np.zeros((len(texts), 4096), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                if word.strip(".,?:") not in STOP_WORDS:
                    row[zlib.crc32(word.strip(".,?:").encode()) % 4096] += 1.0
            row /= np.linalg.norm(row) or 1.0
        return rows


PLAN = (
    Week(1, "Signals", ("Sequences", "Complex exponentials"), 2),
    Week(2, "Vectors", ("Inner products",), 3),
    Week(3, "Transforms", ("DFT", "DFS"), 3),
    Week(4, "Filters", ("Convolution", "Ideal filters", "Filter design"), 0),
)
PREREQUISITES = (
    Prerequisite("Inner products", "Sequences", "a vector is a sequence"),
    Prerequisite("DFT", "Inner products", "a coefficient is an inner product"),
    Prerequisite("DFT", "Complex exponentials", "they form the basis"),
    Prerequisite("DFS", "DFT", "both sum over one period"),
    Prerequisite("Convolution", "Sequences", "it combines two sequences"),
    Prerequisite("Ideal filters", "DFT", "they are defined on the spectrum"),
    Prerequisite("Filter design", "Inner products", "errors are measured with it"),
    Prerequisite("Filter design", "Complex exponentials", "they are the test signals"),
    Prerequisite("Filter design", "DFS", "periodic signals are filtered too"),
)
SYLLABUS = (
    Section(
        "syllabus-1",
        "Late policy",
        None,
        "Late homework loses 10 percent per day. After three days it counts as 0. "
        "If you are ill, write to the team **before** the deadline.",
    ),
    Section("syllabus-2", "Final exam", None, "The final exam lasts 120 minutes. You may bring notes."),
    Section("syllabus-3", "Retakes", None, "The exam may be repeated once."),
)
TEXTBOOK = (
    Section("1.1", "Sequences", 1, "A sequence is a function of whole numbers.\n\n`x[n] = 1`\n\nMore."),
    Section("3.1", "DFT: from time to frequency", 3, "The DFT turns N samples into N coefficients. Then."),
    Section("3.2", "DFS: for periodic signals", 3, "The DFS describes a periodic sequence, e.g. a tone."),
    Section("4.1", "Convolution", 4, "Convolution adds shifted copies of one sequence."),
)
EXERCISES = tuple(
    Exercise(f"x-{week:02d}-{n:02d}", week, topic, title, f"{title} by hand.", "SECRET solution 42")
    for week, n, topic, title in (
        (1, 1, "Sequences", "Energy of a sequence"),
        (3, 1, "DFT", "Transform four samples"),
        (3, 2, "DFT", "Transform a tone"),
        (3, 3, "DFS", "Coefficients of a square wave"),
        (3, 4, "DFS", "Coefficients of a sawtooth"),
        (4, 1, "Convolution", "Convolve two short sequences"),
    )
)
GRADING = (
    GradedItem("quiz-1", "Quizzes of week 1", 10, 1, 10),
    GradedItem("quiz-2", "Quizzes of week 2", 10, 2, 10),
    GradedItem("homework-1", "Homework of week 1", 20, 1, 20),
    GradedItem("homework-2", "Homework of week 2", 20, 2, 20),
    GradedItem("final", "Final exam", 40, 5, 100),
)

Features = dict[tuple[str, int], float]


def grades(*scores: float | None) -> tuple[Grade, ...]:
    """Scores in the order of the grading scheme; items left out have no row."""
    return tuple(
        Grade(item.id, score, item.max_points, item.weight) for item, score in zip(GRADING, scores, strict=False)
    )


def student(
    name: str = "s1",
    features: Features | None = None,
    importances: tuple[Importance, ...] = (),
    marks: tuple[Grade, ...] = (),
) -> Student:
    """A student with nothing but what is given."""
    failing = bool(importances) and importances[0].flips_to == "pass"
    return Student(name, features or {}, importances, marks, {}, "fail" if failing else "pass", 0.5)


def classmates() -> tuple[Student, ...]:
    """Five others: 4 to 8 sessions and 20 answers a week, delay of 40 hours, all marks 80 percent."""
    return tuple(
        student(
            f"c{n}",
            {
                ("NumberOfSessions", 1): 4.0 + n,
                ("NumberOfSessions", 2): 4.0 + n,
                ("TotalClicksProblem", 2): 20.0,
                ("DelayLecture", 2): (38.0 + n) * HOURS,
                ("ContentAlignment", 2): 0.5 + n / 100,
                ("TotalClicksWeekend", 2): 7.0,
            },
            (Importance(2, "TotalClicksProblem", 0.4, "increase", "pass", 0.0),) if n < 3 else IMPORTANT_DELAY,
            grades(8, 8, 16, 16),
        )
        for n in range(5)
    )


IMPORTANT_DELAY = (Importance(2, "DelayLecture", 0.3, "increase", "fail", 0.0),)


def course_with(asking: Student, others: tuple[Student, ...] | None = None) -> Course:
    """The course with this student and the classmates."""
    rows = (asking, *(classmates() if others is None else others))
    return Course(
        id="sig",
        title="Signals in Short",
        aliases=("SIG",),
        language="en",
        weeks=4,
        weeks_done=2,
        pass_mark=60,
        summary="",
        grading=GRADING,
        plan=PLAN,
        prerequisites=PREREQUISITES,
        syllabus=SYLLABUS,
        textbook=TEXTBOOK,
        exercises=EXERCISES,
        students={row.id: row for row in rows},
    )
