"""Answering in this process: some threads over one model, which joins what they ask or takes them in turn."""

import logging
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from app.batch.result import RowResult, Shares
from app.batch.rows import QuestionRow
from app.dialogue.asking import ask
from data.course import Course
from scribe.agent import Agent
from scribe.plumbing.errors import BackendError, QueueFull
from scribe.plumbing.threads import run_in_threads
from scribe.records import Record
from scribe.streaming import never_stop
from scribe.trajectory import Stop, Task
from tools.assembly.assistant import assemble_each
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings
from tools.conversation import make_task

GRACE = 10.0
"""Seconds that a stopped run waits for its threads; one may hang on a server that does not answer."""
PAUSE = 0.2
"""Seconds after which a model whose queue was full is asked again."""

log = logging.getLogger(__name__)


class LocalEngine:
    """Answers rows of these courses over one model, in as many threads as settings say.

    Raises BackendError or UsageError if there is no such model.
    """

    def __init__(self, settings: AssistantSettings, courses: Mapping[str, Course], make: MakeBackend) -> None:
        self._parallel = settings.model.parallel
        self._backend = make(settings)
        self._assistants = assemble_each(settings, courses.values(), self._backend)

    @property
    def info(self) -> Mapping[str, str]:
        return self._backend.info

    def answer(self, row: QuestionRow, stopped: Callable[[], bool] = never_stop) -> RowResult | None:
        """The row's result, which is a failure for whatever went wrong; None if it was `stopped`."""
        begun = time.perf_counter()
        assistant = self._assistants[row.course]
        task = make_task(assistant.course, row.student, row.question, row.theory, row.history)
        try:
            record = _ask_patiently(assistant.agent(row.student), task, stopped)
        except Exception as error:  # one row's trouble, even if it is our mistake, is not the others'
            if not isinstance(error, BackendError):
                log.exception("row %s", row.id)
            return RowResult.failed(row.id, task, self.info, time.perf_counter() - begun, error)
        seconds = round(time.perf_counter() - begun, 3)
        return None if record.stop is Stop.CANCELLED else RowResult(replace(record, id=row.id), seconds)

    def results(
        self, rows: Sequence[QuestionRow], stopped: Callable[[], bool]
    ) -> Generator[RowResult | None, None, None]:
        """The result of each row as it is there; None now and then while there is none.

        A thread takes a row when it has none, so nothing piles up. When `stopped`, what is being answered is dropped.
        """
        shares = Shares(rows)
        taken = iter(lambda: shares.take(threading.get_ident()), None)
        return run_in_threads(self.answer, taken, min(self._parallel, len(rows)), stopped, GRACE)

    def close(self) -> None:
        """Let go of the model, if there is something to let go of: an engine's thread, but nothing of an API."""
        getattr(self._backend, "close", lambda: None)()


def _ask_patiently(agent: Agent, task: Task, stopped: Callable[[], bool]) -> Record:
    """The record of the question; a queue that is full of our own other rows is a reason to wait, not an error."""
    while True:
        try:
            return ask(agent, task, lambda event: None, stopped)
        except QueueFull:
            time.sleep(PAUSE)
