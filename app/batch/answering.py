"""One row to its result, over one model that all courses share."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from app import build
from app import task as tasks
from app.asking import Event, ask
from app.batch.result import Result
from app.batch.row import Row
from app.build import Assistant, MakeBackend
from app.settings import Settings
from data.course import Course
from scribe.agent import Agent
from scribe.backend import Backend
from scribe.errors import BackendError, QueueFull
from scribe.records import Record
from scribe.streaming import never_stop
from scribe.trajectory import Stop, Task

log = logging.getLogger(__name__)

PAUSE = 0.2
"""Seconds after which a model whose queue was full is asked again."""


class Answering:
    """Answers rows of these courses. Several threads may ask at once if the backend lets them.

    Raises BackendError or UsageError if there is no such model.
    """

    def __init__(self, settings: Settings, courses: Mapping[str, Course], make: MakeBackend | None = None) -> None:
        self.backend = (make or build.backend)(settings)
        self._assistants = _assistants(settings, courses, self.backend)

    def answer(self, row: Row, stopped: Callable[[], bool] = never_stop) -> Result | None:
        """The row's result, which is a failure for whatever went wrong; None if it was `stopped`."""
        begun = time.perf_counter()
        assistant = self._assistants[row.course]
        student = assistant.student(row.student)
        task = tasks.task(assistant.course, student, row.question, row.theory, row.history)
        try:
            record = _asked(assistant.agent(row.student), task, stopped)
        except Exception as error:  # one row's trouble, even if it is our mistake, is not the others'
            if not isinstance(error, BackendError):
                log.exception("row %s", row.id)
            return Result.failed(row.id, task, self.backend.info, _since(begun), error)
        return None if record.stop is Stop.CANCELLED else Result(replace(record, id=row.id), _since(begun))

    def close(self) -> None:
        """Let go of the model, if there is something to let go of: an engine's thread, but nothing of an API."""
        if isinstance(self.backend, _Closing):
            self.backend.close()


@runtime_checkable
class _Closing(Protocol):
    """A backend that holds on to something."""

    def close(self) -> None: ...


def _assistants(settings: Settings, courses: Mapping[str, Course], backend: Backend) -> dict[str, Assistant]:
    """An assistant for each course; they share the search model."""
    if not courses:
        return {}
    first = build.assemble(settings, next(iter(courses.values())), backend)
    return {name: replace(first, course=course) for name, course in courses.items()}


def _asked(agent: Agent, task: Task, stopped: Callable[[], bool]) -> Record:
    """The record of the question; a queue that is full of our own other rows is a reason to wait, not an error."""
    while True:
        try:
            return ask(agent, task, _unheard, stopped)
        except QueueFull:
            time.sleep(PAUSE)


def _unheard(event: Event) -> None:
    """Nobody watches a batch."""


def _since(begun: float) -> float:
    return round(time.perf_counter() - begun, 3)
