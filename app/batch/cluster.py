"""Answering on many machines: an engine of Ray actors, each with a model of its own.

The driver alone writes, so the file, its order, resuming and fingerprints are those of a run on one machine. A row is
out with one worker at a time; if that worker dies the row goes to another, and only a result that has arrived counts.
Ray repeats nothing by itself here (its retries are off). Scribe, the courses and the model must lie on every machine;
a worker that finds other ones there than the driver and the first worker is given no row.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.batch import fingerprints
from app.batch.fingerprints import Ground
from app.batch.local import RowAnswerer
from app.batch.placement import Placement, connect_ray, count_workers
from app.batch.result import RowResult, Shares
from app.batch.rows import QuestionRow
from data.course import Course
from scribe.errors import BackendError
from scribe.plumbing.threads import TICK
from tools.assembly.assistant import find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings
from tools.conversation import make_task

CHANCES = 3
"""Workers that may die over one row before it counts as failed; and, while loading, before the run is given up."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class WorkerContents:
    """What a worker has loaded; all workers of a run must have found the same."""

    info: Mapping[str, str]
    grounds: Mapping[str, Ground]


class WorkerActor:
    """Lives in an actor. `load` comes first, and then any number of rows, several at once."""

    def __init__(self, settings: AssistantSettings, courses: Sequence[str], make: MakeBackend) -> None:
        self._settings = settings
        self._courses = courses
        self._make = make
        self._answering: RowAnswerer | None = None

    def load(self) -> WorkerContents:
        """Load model and courses. Raises BackendError, UsageError or BundleError."""
        courses = {name: find_course(self._settings, name) for name in self._courses}
        self._answering = RowAnswerer(self._settings, courses, self._make)
        grounds = {name: fingerprints.fingerprint_course(self._settings, course) for name, course in courses.items()}
        return WorkerContents(dict(self._answering.backend.info), grounds)

    def answer(self, row: QuestionRow) -> RowResult | None:
        """The row's result, a failure for whatever went wrong with it. Raises RuntimeError before `load`."""
        if self._answering is None:
            raise RuntimeError("a worker was asked before it had loaded")
        return self._answering.answer(row)


@dataclass(slots=True)
class _RayWorker:
    """A worker as the driver knows it: the actor, what it is loading or answering, and whether it may be asked."""

    actor: Any
    loading: Any
    busy: dict[Any, QuestionRow] = field(default_factory=dict)
    ready: bool = False


class RayWorkers:
    """An engine over a Ray cluster; making it reaches Ray and waits until the first worker has loaded.

    grounds: what the driver found of each course. most: workers that could have something to do. Raises UsageError
    if there is no such cluster or it is too small, and whatever loading raises on a worker.
    """

    def __init__(
        self,
        settings: AssistantSettings,
        courses: Mapping[str, Course],
        make: MakeBackend,
        placement: Placement,
        grounds: Mapping[str, Ground],
        most: int,
    ) -> None:
        self._courses = courses
        self._placement = placement
        self._given = (settings, tuple(courses), make)
        self._grounds = dict(grounds)
        self._found: WorkerContents | None = None
        self._early_deaths = 0
        self._workers: list[_RayWorker] = []
        self._ray, self._ours = connect_ray(placement.address)
        try:
            count = count_workers(placement, self._ray.cluster_resources())
            self._workers += [self._start_worker() for _ in range(min(count, max(most, 1)))]
            while self._found is None:
                list(self._take_in(Shares(()), Counter()))
        except BaseException:
            self.close()
            raise

    @property
    def info(self) -> Mapping[str, str]:
        """The model's, as the first worker found it."""
        return self._found.info if self._found else {}

    def results(
        self, rows: Sequence[QuestionRow], stopped: Callable[[], bool]
    ) -> Generator[RowResult | None, None, None]:
        """The result of each row as it arrives; None now and then. See `running.AnswerEngine`."""
        shares, deaths = Shares(rows), Counter[str]()
        missing = len(rows)
        while missing and not stopped():
            for worker in self._workers:
                self._occupy(worker, shares, deaths)
            for result in self._take_in(shares, deaths):
                missing -= 1
                yield result
            yield None

    def close(self) -> None:
        """End the workers, and the connection if it was made here."""
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._workers = []
        if self._ours:
            self._ray.shutdown()

    def _start_worker(self) -> _RayWorker:
        """A new worker somewhere in the cluster, which begins to load."""
        options = {
            "num_cpus": self._placement.cpus,
            "num_gpus": self._placement.gpus,
            "max_concurrency": self._placement.parallel,
            "scheduling_strategy": "SPREAD",
            "max_restarts": 0,
            "max_task_retries": 0,
        }
        actor = self._ray.remote(WorkerActor).options(**options).remote(*self._given)
        return _RayWorker(actor, actor.load.remote())

    def _occupy(self, worker: _RayWorker, shares: Shares, deaths: Counter[str]) -> None:
        """Give a worker as many rows as it takes at once; one that was there at a death is given alone.

        So a row that kills is told from those that were only beside it.
        """
        while worker.ready and len(worker.busy) < self._placement.parallel:
            suspected = any(deaths[row.id] for row in worker.busy.values())
            row = None if suspected else shares.take(id(worker))
            if row is None:
                return
            if deaths[row.id] and worker.busy:
                shares.put_back(row)
                return
            worker.busy[worker.actor.answer.remote(row)] = row

    def _take_in(self, shares: Shares, deaths: Counter[str]) -> Iterator[RowResult]:
        """Wait a little, and take in what has come: results, workers that have loaded, news of a death."""
        waited = {
            ref: worker for worker in self._workers for ref in (worker.busy if worker.ready else [worker.loading])
        }
        done, _ = self._ray.wait(list(waited), num_returns=1, timeout=TICK)
        for ref in done:
            worker = waited[ref]
            try:
                said = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError as error:  # raised on the worker, which is well
                raise error.cause from error
            except self._ray.exceptions.RayError as error:
                yield from self._replace_worker(worker, shares, deaths, error)
                continue
            if worker.ready:
                yield self._result(worker.busy.pop(ref), said)
            else:
                self._welcome(worker, said)

    def _welcome(self, worker: _RayWorker, found: WorkerContents) -> None:
        """A worker has loaded. Raises BackendError if that is not what the others have."""
        expected = WorkerContents(self._found.info if self._found else found.info, self._grounds)
        same_model = fingerprints.identify_model(found.info) == fingerprints.identify_model(expected.info)
        if not same_model or found.grounds != expected.grounds:
            raise BackendError(
                f"a worker found another model, course or prompts than the rest ({found} where {expected} was "
                "expected); put the same Scribe, courses and model on every machine"
            )
        self._found, self._early_deaths, worker.ready = expected, 0, True

    def _replace_worker(
        self, worker: _RayWorker, shares: Shares, deaths: Counter[str], error: Exception
    ) -> Iterator[RowResult]:
        """A worker has died: another in its place, and its rows to whoever is free, unless they keep killing."""
        reason = _describe_death(error)
        if not worker.ready:
            self._early_deaths += 1
            if self._early_deaths >= CHANCES:
                raise BackendError(f"workers die while they load the model ({reason}); is there enough memory?")
        self._ray.kill(worker.actor)  # it may only have been out of reach
        self._workers[self._workers.index(worker)] = self._start_worker()
        for row in worker.busy.values():
            deaths[row.id] += 1
            if deaths[row.id] < CHANCES:
                shares.put_back(row)
            else:
                yield self._give_up(row, BackendError(f"{CHANCES} workers died over this question ({reason})"))

    def _result(self, row: QuestionRow, said: RowResult | None) -> RowResult:
        return said if said is not None else self._give_up(row, BackendError("the worker was told to stop"))

    def _give_up(self, row: QuestionRow, error: BackendError) -> RowResult:
        course = self._courses[row.course]
        task = make_task(course, row.student, row.question, row.theory, row.history)
        return RowResult.failed(row.id, task, self.info, 0.0, error)


def _describe_death(error: Exception) -> str:
    """What Ray says of a death, in one line: of a page, the first and the last line."""
    lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines() if line.strip()]
    return " … ".join(dict.fromkeys([lines[0], lines[-1]])) if lines else type(error).__name__
