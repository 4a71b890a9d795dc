"""Feedback reports by a language model, in the words of `scribe`: `data.reports.llm` knows no backend."""

from collections.abc import Sequence

from data.build.writing import ReportDraft, WriteReport
from data.course import Course, Student
from data.reports.llm import write_by_llm
from scribe.backend import Backend, Sampling
from scribe.messages import Message

TEMPERATURE = 0.5
"""As in the published recipe: enough that two students with the same findings read different letters."""
READY = "Are you there? Answer with one word."
LONGEST = 1500
"""Tokens of a turn; the analysis is longer than the letter."""


def by_llm(backend: Backend, seed: int) -> WriteReport:
    """A writer of reports that asks this model, and does so once at once. Raises BackendError, as the writer does."""
    # Before minutes are spent on predictions that nobody could then write about.
    backend.complete([Message("user", READY)], Sampling(max_tokens=16))
    sampling = Sampling(TEMPERATURE, seed=seed, max_tokens=LONGEST)

    def say(talk: Sequence[Message]) -> str:
        return backend.complete(talk, sampling).text

    def write(course: Course, student: Student, theory: str) -> ReportDraft:
        return ReportDraft(*write_by_llm(say, course, student, theory))

    return write
