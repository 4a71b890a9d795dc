"""Measuring sessions on many machines: Ray actors, each with models and a sandbox of its own; the driver alone writes.

Scribe, bubblewrap, tasks and models must lie on every machine. A worker whose tasks or model are not the driver's is
refused. Ray's own retries are off: a session whose worker dies has failed, and is measured when the run is begun again.
"""

import argparse
import queue
from collections.abc import Mapping
from typing import Any

from app.batch.cluster import connect_ray, count_workers
from app.commands.tutoring.describing import describe_run
from app.commands.tutoring.opening import open_tutors
from eval.tutoring.programs.tester import ProgramTester, TestedProgram
from eval.tutoring.protocol.measuring import SessionMeasurer
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import MeasuredSession, SessionKey
from eval.tutoring.students.learning import Listening
from scribe.plumbing.errors import BackendError
from tools.assembly.model import MakeBackend, make_embedder
from tools.assembly.settings import AssistantSettings

Measured = tuple[MeasuredSession, tuple[TestedProgram, ...]]


class MeasuringActor:
    """Lives in an actor: models are loaded when it is made, then any number of sessions, one at a time."""

    def __init__(
        self, arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend, plan: MeasurementPlan
    ) -> None:
        made = open_tutors(arguments, settings, make, plan)
        self._tester = ProgramTester()
        self._about = describe_run(arguments, plan, made.info)
        students = made.backend if plan.students == "model" else None
        listening = Listening(embedder=make_embedder(settings))
        self._measurer = SessionMeasurer(plan, made.tutors, self._tester, listening, students, arguments.tasks_folder)

    def describe(self) -> dict[str, Any]:
        """What this worker measures with, as `run.json` has it."""
        return self._about

    def measure(self, key: SessionKey) -> Measured:
        """The session, and the programs that its tests are of."""
        session = self._measurer.measure(key)
        ids = dict.fromkeys(each.program for test in session.tests for each in test.programs)
        return session, tuple(self._tester.find(id) for id in ids)


class RayMeasuring:
    """Measures each session on a free worker of a cluster; as many threads may ask as there are `workers`.

    Making it reaches Ray and waits for all workers. Raises UsageError for a cluster that cannot be used, BackendError
    for a worker that cannot be made or has something else than the driver.
    """

    def __init__(
        self,
        arguments: argparse.Namespace,
        settings: AssistantSettings,
        make: MakeBackend,
        plan: MeasurementPlan,
        tester: ProgramTester,
        about: Mapping[str, Any],
    ) -> None:
        given = argparse.Namespace(**{name: value for name, value in vars(arguments).items() if name != "run"})
        self._tester, self._given, self._about = tester, (given, settings, make, plan), about
        self._ray, self._ours = connect_ray(arguments.ray_address)
        self._options = {"num_cpus": arguments.ray_cpus, "num_gpus": arguments.ray_gpus, "max_restarts": 0}
        self._free = queue.SimpleQueue[Any]()
        self.workers = 0
        try:
            count = count_workers(arguments, self._ray.cluster_resources())
            for actor in [self._start() for _ in range(count)]:
                self._welcome(actor)
                self.workers += 1
        except BaseException:
            self.close()
            raise

    def measure(self, key: SessionKey) -> MeasuredSession:
        """The session, measured by the next free worker. Raises what measuring raises, BackendError for a death."""
        actor = self._free.get()
        try:
            session, programs = self._ray.get(actor.measure.remote(key))
        except self._ray.exceptions.RayTaskError as error:  # raised on the worker, which is well
            self._free.put(actor)
            raise error.cause from error
        except self._ray.exceptions.RayError as error:
            self._welcome(self._start())
            raise BackendError(f"the worker died: {str(error).splitlines()[0]}") from error
        self._free.put(actor)
        self._tester.adopt(programs)
        return session  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the workers, and Ray if it was begun here."""
        while not self._free.empty():
            self._ray.kill(self._free.get())
        if self._ours:
            self._ray.shutdown()

    def _start(self) -> Any:
        return self._ray.remote(MeasuringActor).options(**self._options).remote(*self._given)

    def _welcome(self, actor: Any) -> None:
        """Wait until a worker has loaded, and see that it measures as the others do."""
        try:
            found = self._ray.get(actor.describe.remote())
        except self._ray.exceptions.RayError as error:
            raise BackendError(f"a worker could not be made: {str(error).splitlines()[-1]}") from error
        if found != self._about:
            raise BackendError("a worker has other tasks or another model; put the same on every machine")
        self._free.put(actor)
