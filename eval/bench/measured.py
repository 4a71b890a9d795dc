"""What a contender did, in numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """What one contender did.

    requests: calls of the model. prompts: tokens in them. evaluated: those of them not in a cache. distinct: nodes of
    the prompts' prefix tree. written: tokens; distinct_in_all: nodes of the tree of prompts with what was written.
    """

    name: str
    questions: int
    answered: int
    seconds: float
    cpu_seconds: float | None
    requests: int
    prompts: int
    evaluated: int
    written: int
    distinct: int = 0
    distinct_in_all: int = 0

    @property
    def rate(self) -> float:
        """Answers per minute."""
        return 60 * self.questions / self.seconds
