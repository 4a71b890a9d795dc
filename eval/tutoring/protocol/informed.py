"""A tutor that is told who its student is: an upper bound, as the oracle is, and no tutor for people."""

from collections.abc import Callable
from dataclasses import dataclass

from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.knowledge_value import KnowledgeVerifier
from eval.tutoring.students.learning import Listening
from eval.tutoring.students.student import TutoredStudent
from scribe.plumbing.errors import UsageError
from scribe.tutor.session import Tutor
from scribe.verify.verifying import Verifier


@dataclass(frozen=True, slots=True)
class InformedTutor:
    """Made anew for each session, with a verifier that knows the student's true state."""

    name: str
    make: Callable[[Verifier], Tutor]

    def open_for(self, student: TutoredStudent, listening: Listening) -> Tutor:
        """The tutor of one session. Raises UsageError for a student of whom nobody knows what they know."""
        if not isinstance(student, KnowledgeDrivenStudent):
            raise UsageError(f"{self.name} needs students whose knowledge is known: --students knowledge")
        return self.make(KnowledgeVerifier(student, listening))
