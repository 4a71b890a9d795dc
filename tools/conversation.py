"""What a conversation in a course begins with: its language, the question as a task, the names that the check needs."""

import unicodedata
from collections.abc import Sequence
from typing import Literal

from data.catalogue import Catalogue, load_catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course, Student
from scribe.grounding import Lexicon
from scribe.plumbing.errors import UsageError
from scribe.trajectory import Exchange, Task
from tools.search.text import ENGLISH, LanguageWords, stop_words

LANGUAGES = {"en": "English", "fr": "French"}
FRENCH = "fr"
THEORIES = {
    "nr": "What the outlook rests on (necessary causes)",
    "ac": "What stood out (unusual and recent)",
    "con": "What made the difference (contrast)",
}
"""The kinds of report, by the letters in their file names, in words for a student."""
LONGEST_QUESTION = 2000
LONGEST_EARLIER = 20_000
"""Characters of an earlier question or answer; every check of a new answer reads all of them again."""
Refusal = Literal["report", "no_report", "unreadable", "empty", "long"]
SHORTEST_NAME = 4
WEB = "web_search"
"""The tool that says what is of no course; it is not imported here, since it brings an HTTP library."""


class QuestionRefused(UsageError):
    """A question that cannot be asked. kind: why, for whoever says it in other words or another language."""

    def __init__(self, kind: Refusal, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def make_task(
    course: Course, student_id: str, question: str, theory: str = "nr", history: Sequence[Exchange] = ()
) -> Task:
    """One question as a task. Raises UnknownStudent, or UsageError for a question or kind of report of no use."""
    student = course.student(student_id)
    report, said = find_report(student, theory), clean_question(question)
    language = detect_language(said, course.language, [each.question for each in history])
    return Task(
        course=course.id,
        student=student.id,
        question=said,
        report=report,
        about=describe_course(course),
        history=tuple(history),
        language=LANGUAGES.get(language, language),
        theory=theory,
    )


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


def check_history(history: Sequence[Exchange]) -> Sequence[Exchange]:
    """The same earlier exchanges. Raises UsageError for one that is too long, or that is no text."""
    for text in (text for each in history for text in (each.question, each.answer)):
        if len(text) > LONGEST_EARLIER:
            told = f"an earlier question or answer has {len(text)} characters; at most {LONGEST_EARLIER} can be read"
            raise QuestionRefused("long", told)
        if any(unicodedata.category(each) == "Cs" for each in text):
            raise QuestionRefused("unreadable", "an earlier question or answer is not readable text; write it in UTF-8")
    return history


def describe_course(course: Course) -> str:
    """One line on the course that every prompt carries."""
    done, left = course.weeks_done, course.weeks_done + 1
    over = f"weeks 1 to {done} are over" if done > 1 else "week 1 is over"
    following = f" and week {left} comes next" if left <= course.weeks else ""
    return f"{course.title} ({course.id}) has weeks 1 to {course.weeks}; {over}{following}."


def detect_language(question: str, of_course: str, before: Sequence[str] = ()) -> str:
    """The code of the language to answer in: `of_course` unless the words are plainly English or, there, French.

    Counts stop words, which every sentence has and no topic or title. `before`: earlier questions of the conversation,
    of which the last decides where this one is too short to tell.
    """
    other = FRENCH if of_course == ENGLISH else of_course
    for asked in (question, *reversed(before)):
        if lead := _count_lead(asked, other):
            return ENGLISH if lead > 0 else other
    return of_course


def _count_lead(text: str, other: str) -> int:
    """By how many stop words English leads over the other language; words of both do not count."""
    for feature in load_catalogue():  # reports use English names of behaviours in every course
        text = text.replace(feature.label, " ")
    words, english, theirs = LanguageWords(ENGLISH).split(text), stop_words(ENGLISH), stop_words(other)
    return sum(word in english - theirs for word in words) - sum(word in theirs - english for word in words)


def make_lexicon(course: Course, catalogue: Catalogue) -> Lexicon:
    """Every feature with all its names, and the course's topics, in English too where the outline says so.

    In a French course a feature has its French and its English label: reports use the one and tools the other.
    Left out are names of one ordinary word: they turn up in sentences that name nothing.
    """
    told = {feature.name: feature for feature in catalogue_in(course.language)}
    features = tuple(
        tuple(dict.fromkeys(name for name in (f.label, f.name, f.code, *f.aliases) if _is_a_name(name)))
        for f in (told.get(each.name, each) for each in catalogue)
    )
    topics = tuple(tuple(filter(None, (topic, course.english(topic)))) for topic in course.topics)
    less = [each for each in catalogue if each.good == "less"]
    less_is_better = frozenset(label for each in less for label in (each.label, told.get(each.name, each).label))
    return Lexicon(features, topics, course.weeks, frozenset({WEB}), less_is_better)


def _is_a_name(name: str) -> bool:
    return len(name) >= SHORTEST_NAME and not (name.isalpha() and (name.islower() or name.istitle()))
