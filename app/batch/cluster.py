"""Answering on many machines: an engine of Ray actors, each with a model of its own.

The driver alone writes, as on one machine. A row is out with one worker at a time; if that worker dies the row goes to
another (Ray's own retries are off). Scribe, the courses and the model must lie on every machine; a worker that finds
other ones there than the driver and the first worker is given no row.
"""

import logging
import os
import re
import socket
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.batch import fingerprints
from app.batch.fingerprints import Grounds
from app.batch.local import LocalEngine
from app.batch.result import RowResult, Shares
from app.batch.rows import QuestionRow
from data.course import Course
from scribe.plumbing.errors import BackendError, UsageError
from scribe.plumbing.threads import TICK
from tools.assembly.assistant import find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings
from tools.conversation import make_task

CHANCES = 3
"""Workers that may die over one row before it counts as failed; and, while loading, before the run is given up."""
OBJECT_BYTES = 100 * 2**20
"""Shared memory of a Ray of our own: only questions and records go through it."""
CONNECT_SECONDS = 5.0
_LOOPBACK = "127.0.0.1"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

WorkerContents = tuple[Mapping[str, str], Grounds]
"""The model's info and the courses' grounds: all workers of a run must have found the same."""


class WorkerActor:
    """Lives in an actor. `load` comes first, and then any number of rows, several at once."""

    def __init__(self, settings: AssistantSettings, courses: Sequence[str], make: MakeBackend) -> None:
        self._given = settings, courses, make
        self._engine: LocalEngine

    def load(self) -> WorkerContents:
        """Load model and courses. Raises BackendError, UsageError or BundleError."""
        settings, names, make = self._given
        courses = {name: find_course(settings, name) for name in names}
        self._engine = LocalEngine(settings, courses, make)
        grounds = {name: fingerprints.fingerprint_course(settings, course) for name, course in courses.items()}
        return dict(self._engine.info), grounds

    def answer(self, row: QuestionRow) -> RowResult | None:
        return self._engine.answer(row)


@dataclass(slots=True)
class _RayWorker:
    """A worker as the driver knows it: the actor, what it is loading or answering, and whether it may be asked."""

    actor: Any
    loading: Any
    busy: dict[Any, QuestionRow] = field(default_factory=dict)
    ready: bool = False


class RayWorkers:
    """An engine over a Ray cluster; making it reaches Ray and waits until the first worker has loaded.

    on: the `--ray-…` arguments; without an address Ray starts here, and nobody else can reach it. grounds: what the
    driver found. most: workers that could have something to do. Raises UsageError, and what loading raises on a worker.
    """

    def __init__(
        self,
        settings: AssistantSettings,
        courses: Mapping[str, Course],
        make: MakeBackend,
        on: Namespace,
        grounds: Grounds,
        most: int,
    ) -> None:
        self._courses = courses
        self._options: dict[str, Any] = {
            "num_cpus": on.ray_cpus,
            "num_gpus": on.ray_gpus,
            "max_concurrency": settings.model.parallel,
            "scheduling_strategy": "SPREAD",
            "max_restarts": 0,
            "max_task_retries": 0,
        }
        self._given = (settings, tuple(courses), make)
        self._grounds = dict(grounds)
        self._info: Mapping[str, str] | None = None
        self._early_deaths = 0
        self._workers: list[_RayWorker] = []
        self._ray, self._ours = connect_ray(on.ray_address)
        try:
            count = count_workers(on, self._ray.cluster_resources())
            self._workers += [self._start_worker() for _ in range(min(count, max(most, 1)))]
            while self._info is None:
                list(self._take_in(Shares(()), Counter()))
        except BaseException:
            self.close()
            raise

    @property
    def info(self) -> Mapping[str, str]:
        return self._info or {}

    def results(
        self, rows: Sequence[QuestionRow], stopped: Callable[[], bool]
    ) -> Generator[RowResult | None, None, None]:
        """The result of each row as it arrives; None now and then. See `job.AnswerEngine`."""
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
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._workers = []
        if self._ours:
            self._ray.shutdown()

    def _start_worker(self) -> _RayWorker:
        actor = self._ray.remote(WorkerActor).options(**self._options).remote(*self._given)
        return _RayWorker(actor, actor.load.remote())

    def _occupy(self, worker: _RayWorker, shares: Shares, deaths: Counter[str]) -> None:
        """Give a worker as many rows as it takes at once; one that was there at a death is given alone.

        So a row that kills is told from those that were only beside it.
        """
        while worker.ready and len(worker.busy) < self._options["max_concurrency"]:
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
                del worker.busy[ref]
                yield said
            else:
                self._welcome(worker, said)

    def _welcome(self, worker: _RayWorker, found: WorkerContents) -> None:
        """A worker has loaded. Raises BackendError if that is not what the others have."""
        info, grounds = found
        expected = self._info or info, self._grounds
        if fingerprints.identify_model(info) != fingerprints.identify_model(expected[0]) or grounds != expected[1]:
            raise BackendError(
                f"a worker found another model, course or prompts than the rest ({found} where {expected} was "
                "expected); put the same Scribe, courses and model on every machine"
            )
        self._info, self._early_deaths, worker.ready = expected[0], 0, True

    def _replace_worker(
        self, worker: _RayWorker, shares: Shares, deaths: Counter[str], error: Exception
    ) -> Iterator[RowResult]:
        """A worker has died: another in its place, and its rows to whoever is free, unless they keep killing."""
        lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines() if line.strip()]
        reason = " … ".join(dict.fromkeys([lines[0], lines[-1]])) if lines else type(error).__name__
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
                continue
            course = self._courses[row.course]
            task = make_task(course, row.student, row.question, row.theory, row.history)
            why = BackendError(f"{CHANCES} workers died over this question ({reason})")
            yield RowResult.failed(row.id, task, self.info, 0.0, why)


def connect_ray(address: str) -> tuple[Any, bool]:
    """The module `ray`, connected, and whether it was us who connected it.

    Raises UsageError if Ray is not installed or there is no cluster at the address.
    """
    # Both are read when Ray is imported: nothing is reported to anybody, and a Ray of our own stays on the loopback
    # address, whatever the second one's name says; otherwise Ray would put the machine's own address in its place.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    try:
        import ray
    except ImportError as error:
        raise UsageError("`--engine ray` needs Ray; run: pip install 'scribe-campus[ray]'") from error
    if ray.is_initialized():
        return ray, False
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address:
            _knock(address)
            ray.init(address=address, **quiet)
        else:
            own = {"include_dashboard": False, "object_store_memory": OBJECT_BYTES, "_node_ip_address": _LOOPBACK}
            ray.init(address="local", **own, **quiet)
            _require_loopback(ray)
    except Exception as error:  # Ray raises a bare one too, when it does not come up in time
        where = f"no Ray cluster can be used at {address}" if address else "Ray does not start on this machine"
        raise UsageError(f"{where}: {str(error).splitlines()[0]}; see `ray status`") from error
    return ray, True


def count_workers(on: Namespace, resources: Mapping[str, float]) -> int:
    """How many workers there are to be. Raises UsageError if not even one fits the cluster."""
    asked = {"CPU": on.ray_cpus, "GPU": on.ray_gpus}
    there = {kind: resources.get(kind, 0.0) for kind in asked}
    fit = min(int(there[kind] // size) for kind, size in asked.items() if size > 0)
    if fit < 1:
        has, wanted = (", ".join(f"{size:g} {kind}" for kind, size in each.items()) for each in (there, asked))
        raise UsageError(f"no worker fits the cluster: it has {has}, and one worker is to have {wanted}")
    return int(on.ray_workers or fit)


def _require_loopback(ray: Any) -> None:
    """End a Ray of our own that others could reach, since whoever reaches it can run programs here."""
    found = [str(node["NodeManagerAddress"]) for node in ray.nodes()]
    if found != [_LOOPBACK]:
        ray.shutdown()
        raise RuntimeError(f"it listens at {', '.join(found)} and not on {_LOOPBACK} alone")


def _knock(address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address != "auto" and not (host and port.isdecimal()):
        raise ValueError('the address must be host:port, or "auto"')
    if address != "auto":
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
