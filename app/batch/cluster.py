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
from app.batch.placement import Placement, connected, fitting
from app.batch.result import Result
from app.batch.row import Row
from app.batch.shares import Shares
from app.batch.threads import TICK
from app.batch.worker import Found, Worker
from data.course import Course
from scribe.errors import BackendError
from tools.assembly import question as questions
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

CHANCES = 3
"""Workers that may die over one row before it counts as failed; and, while loading, before the run is given up."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(slots=True)
class _Hand:
    """A worker as the driver knows it: the actor, what it is loading or answering, and whether it may be asked."""

    actor: Any
    loading: Any
    busy: dict[Any, Row] = field(default_factory=dict)
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
        make: MakeBackend | None,
        placement: Placement,
        grounds: Mapping[str, Ground],
        most: int,
    ) -> None:
        self._courses = courses
        self._placement = placement
        self._given = (settings, tuple(courses), make)
        self._grounds = dict(grounds)
        self._found: Found | None = None
        self._early_deaths = 0
        self._hands: list[_Hand] = []
        self._ray, self._ours = connected(placement.address)
        try:
            count = fitting(placement, self._ray.cluster_resources())
            self._hands += [self._hired() for _ in range(min(count, max(most, 1)))]
            while self._found is None:
                list(self._arrived(Shares(()), Counter()))
        except BaseException:
            self.close()
            raise

    @property
    def info(self) -> Mapping[str, str]:
        """The model's, as the first worker found it."""
        return self._found.info if self._found else {}

    def results(self, rows: Sequence[Row], stopped: Callable[[], bool]) -> Generator[Result | None, None, None]:
        """The result of each row as it arrives; None now and then. See `running.Engine`."""
        shares, deaths = Shares(rows), Counter[str]()
        missing = len(rows)
        while missing and not stopped():
            for hand in self._hands:
                self._occupy(hand, shares, deaths)
            for result in self._arrived(shares, deaths):
                missing -= 1
                yield result
            yield None

    def close(self) -> None:
        """End the workers, and the connection if it was made here."""
        for hand in self._hands:
            self._ray.kill(hand.actor)
        self._hands = []
        if self._ours:
            self._ray.shutdown()

    def _hired(self) -> _Hand:
        """A new worker somewhere in the cluster, which begins to load."""
        options = {
            "num_cpus": self._placement.cpus,
            "num_gpus": self._placement.gpus,
            "max_concurrency": self._placement.parallel,
            "scheduling_strategy": "SPREAD",
            "max_restarts": 0,
            "max_task_retries": 0,
        }
        actor = self._ray.remote(Worker).options(**options).remote(*self._given)
        return _Hand(actor, actor.load.remote())

    def _occupy(self, hand: _Hand, shares: Shares, deaths: Counter[str]) -> None:
        """Give a worker as many rows as it takes at once; one that was there at a death is given alone.

        So a row that kills is told from those that were only beside it.
        """
        while hand.ready and len(hand.busy) < self._placement.parallel:
            suspected = any(deaths[row.id] for row in hand.busy.values())
            row = None if suspected else shares.take(id(hand))
            if row is None:
                return
            if deaths[row.id] and hand.busy:
                shares.put_back(row)
                return
            hand.busy[hand.actor.answer.remote(row)] = row

    def _arrived(self, shares: Shares, deaths: Counter[str]) -> Iterator[Result]:
        """Wait a little, and take in what has come: results, workers that have loaded, news of a death."""
        waited = {ref: hand for hand in self._hands for ref in (hand.busy if hand.ready else [hand.loading])}
        done, _ = self._ray.wait(list(waited), num_returns=1, timeout=TICK)
        for ref in done:
            hand = waited[ref]
            try:
                said = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError as error:  # raised on the worker, which is well
                raise error.cause from error
            except self._ray.exceptions.RayError as error:
                yield from self._buried(hand, shares, deaths, error)
                continue
            if hand.ready:
                yield self._result(hand.busy.pop(ref), said)
            else:
                self._welcome(hand, said)

    def _welcome(self, hand: _Hand, found: Found) -> None:
        """A worker has loaded. Raises BackendError if that is not what the others have."""
        expected = Found(self._found.info if self._found else found.info, self._grounds)
        if (fingerprints.model(found.info), found.grounds) != (fingerprints.model(expected.info), expected.grounds):
            raise BackendError(
                f"a worker found another model, course or prompts than the rest ({found} where {expected} was "
                "expected); put the same Scribe, courses and model on every machine"
            )
        self._found, self._early_deaths, hand.ready = expected, 0, True

    def _buried(self, hand: _Hand, shares: Shares, deaths: Counter[str], error: Exception) -> Iterator[Result]:
        """A worker has died: another in its place, and its rows to whoever is free, unless they keep killing."""
        reason = _reason(error)
        if not hand.ready:
            self._early_deaths += 1
            if self._early_deaths >= CHANCES:
                raise BackendError(f"workers die while they load the model ({reason}); is there enough memory?")
        self._ray.kill(hand.actor)  # it may only have been out of reach
        self._hands[self._hands.index(hand)] = self._hired()
        for row in hand.busy.values():
            deaths[row.id] += 1
            if deaths[row.id] < CHANCES:
                shares.put_back(row)
            else:
                yield self._given_up(row, BackendError(f"{CHANCES} workers died over this question ({reason})"))

    def _result(self, row: Row, said: Result | None) -> Result:
        return said if said is not None else self._given_up(row, BackendError("the worker was told to stop"))

    def _given_up(self, row: Row, error: BackendError) -> Result:
        course = self._courses[row.course]
        task = questions.make_task(course, course.student(row.student), row.question, row.theory, row.history)
        return Result.failed(row.id, task, self.info, 0.0, error)


def _reason(error: Exception) -> str:
    """What Ray says of a death, in one line: of a page, the first and the last line."""
    lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines() if line.strip()]
    return " … ".join(dict.fromkeys([lines[0], lines[-1]])) if lines else type(error).__name__
