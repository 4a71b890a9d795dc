"""What runs on a machine of a cluster: one model, and the courses as they lie on that machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.batch import fingerprints
from app.batch.answering import Answering
from app.batch.fingerprints import Ground
from app.batch.result import Result
from app.batch.row import Row
from tools.assembly.assistant import find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


@dataclass(frozen=True, slots=True)
class Found:
    """What a worker has loaded; all workers of a run must have found the same."""

    info: Mapping[str, str]
    grounds: Mapping[str, Ground]


class Worker:
    """Lives in an actor. `load` comes first, and then any number of rows, several at once."""

    def __init__(self, settings: AssistantSettings, courses: Sequence[str], make: MakeBackend | None) -> None:
        self._settings = settings
        self._courses = courses
        self._make = make
        self._answering: Answering | None = None

    def load(self) -> Found:
        """Load model and courses. Raises BackendError, UsageError or BundleError."""
        courses = {name: find_course(self._settings, name) for name in self._courses}
        self._answering = Answering(self._settings, courses, self._make)
        grounds = {name: fingerprints.ground(self._settings, course) for name, course in courses.items()}
        return Found(dict(self._answering.backend.info), grounds)

    def answer(self, row: Row) -> Result | None:
        """The row's result, a failure for whatever went wrong with it. Raises RuntimeError before `load`."""
        if self._answering is None:
            raise RuntimeError("a worker was asked before it had loaded")
        return self._answering.answer(row)
