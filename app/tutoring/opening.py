"""A model to the tutor of one task, which a terminal opens once and a page for each turn."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.tutoring.lesson import make_guard
from data.tasks.format import CodingTask
from scribe.backend import Backend, Sampling
from scribe.dialect import Dialect, MarkerDialect
from scribe.tutor.methods.opening import open_tutor
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import Tutor
from scribe.tutor.speaking import DRAWING, Speaker, Watch
from scribe.verify.opening import open_tracer
from scribe.verify.tracing import Tracer
from scribe.verify.verifying import Verifier

DEFAULT = "traver-no-verifier"


@dataclass(frozen=True, slots=True)
class TutorOpener:
    """What all tutors of a process share. name: which of `TUTORS`; candidates: the turns that it chooses from."""

    backend: Backend
    dialect: Dialect = field(default_factory=MarkerDialect)
    name: str = DEFAULT
    tracer: Tracer = field(default_factory=open_tracer)
    verifier: Verifier | None = None
    candidates: int = CANDIDATES
    sampling: Sampling = DRAWING
    seed: int = 0

    def open(
        self, task: CodingTask, owner: str, watch: Watch | None = None, stopped: Callable[[], bool] | None = None
    ) -> Tutor:
        """The tutor of one task for one person, see `Speaker`. Raises UsageError for a verifier that is missing."""
        guard = make_guard(task)
        speaker = Speaker(
            self.backend,
            lambda name: guard,
            self.sampling,
            watch=watch,
            owner=owner,
            dialect=self.dialect,
            stopped=stopped,
        )
        return open_tutor(self.name, speaker, self.tracer, self.verifier, self.candidates)
