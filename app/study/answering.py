"""Answers to participants' questions, given by threads; what a killed process left is taken up again."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from app.dialogue.asking import ask
from app.dialogue.wording import explain_ending
from app.store.database import Database
from app.store.limits import LimitReached, QuestionLimits
from app.store.settings import LimitSettings
from app.study.settings import Study, name_report
from app.study.store import PendingQuestion, StudyStore
from data.course import Course
from scribe.backend import Backend
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.trajectory import Stop
from tools.assembly.assistant import Assistant, assemble_each, find_course, find_student
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings, LanguageModelSettings
from tools.conversation import find_report

AT_ONCE = 4

log = logging.getLogger(__name__)


class AnswerPool:
    """Threads that answer. assistants: by model and course. clock: seconds since 1970.

    A question that a killed process left is taken up by the first page that waits for it, once its lease is over.
    """

    def __init__(
        self,
        study: Study,
        store: StudyStore,
        assistants: Mapping[tuple[str, str], Assistant],
        database: Database,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._reports = {name_report(each): each for each in study.reports}
        self._store = store
        self._assistants = assistants
        self._limits = QuestionLimits(database, LimitSettings(per_minute=0, per_day=0), clock)
        self._threads = ThreadPoolExecutor(AT_ONCE, "scribe-study")
        self._ours: set[str] = set()
        self._lock = threading.Lock()
        self._ending = threading.Event()

    def start(self, question: str) -> None:
        """Have a question answered, unless that is under way here."""
        with self._lock:
            if question in self._ours or self._ending.is_set():
                return
            self._ours.add(question)
        self._threads.submit(self._work, question)

    def close(self) -> None:
        """Stop all threads; what is not answered then is taken up at the next start."""
        self._ending.set()
        self._threads.shutdown(cancel_futures=True)

    def _work(self, question: str) -> None:
        try:
            pending = self._store.pending(question)
            if pending is not None:
                # The lease says that another process is at it, or was until it was killed.
                with contextlib.suppress(LimitReached), self._limits.question(pending.participant):
                    self._answer(pending)
        except ScribeError as error:
            log.warning("a question was not answered: %s", error)
        except Exception:
            log.exception("unforeseen while answering")
        finally:
            with self._lock:
                self._ours.discard(question)

    def _answer(self, pending: PendingQuestion) -> None:
        report = self._reports.get(pending.report)
        assistant = self._assistants.get((pending.model, report.course)) if report else None
        if report is None or assistant is None:
            log.warning("%s about %s is not in the study any more", pending.model, pending.report)
            self._store.keep_failure(pending.id)
            return
        began = time.monotonic()
        try:
            history = pending.history[-assistant.settings.chat.history :]
            task = assistant.task(report.student, pending.question, report.theory, history)
            record = ask(assistant.agent(report.student), task, lambda event: None, self._ending.is_set)
        except Exception as error:
            log.warning("%s could not answer: %s", pending.model, error)
            self._store.keep_failure(pending.id)
            return
        if record.stop is not Stop.CANCELLED:
            shown = record.answer or explain_ending(record.trajectory)
            self._store.keep_answer(pending.id, record, shown, time.monotonic() - began)


def open_courses(study: Study, settings: AssistantSettings) -> dict[str, Course]:
    """The courses of a study's reports by their names there. Raises UsageError or BundleError for what is missing."""
    courses = {}
    for report in study.reports:
        courses[report.course] = course = find_course(settings, report.course)
        find_report(find_student(course, report.student), report.theory)
    return courses


def open_assistants(
    study: Study, settings: AssistantSettings, make: MakeBackend, courses: Iterable[Course]
) -> dict[tuple[str, str], Assistant]:
    """The assistants of all models, by model and course. Models that differ in how they are asked alone share weights.

    Raises UsageError or BackendError for a model that cannot be used.
    """
    chosen = {model.id: model.apply(settings) for model in study.models}
    backends: list[tuple[LanguageModelSettings, Backend]] = []
    assistants: dict[tuple[str, str], Assistant] = {}
    for id, each in chosen.items():
        backend = next((made for model, made in backends if model == each.model), None)
        if backend is None:
            backend = make(each)
            backends.append((each.model, backend))
        for course, assistant in assemble_each(each, courses, backend).items():
            assistants[id, course] = assistant
    if missing := [report.course for report in study.reports if (study.models[0].id, report.course) not in assistants]:
        raise UsageError(f"name the courses of reports by their ids, not as {missing[0]!r}")
    return assistants
