"""What a verifier is: it values what a tutor might say next (section 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scribe.tutor.session import TokenUse, TutoringSession


@dataclass(frozen=True, slots=True)
class ValuedTurns:
    """A reward in [0, 1] for each candidate, in their order, and the tokens that were read for them."""

    rewards: tuple[float, ...]
    use: TokenUse = TokenUse()


class Verifier(Protocol):
    """Values candidates for the next turn of a session."""

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """A reward for each candidate, higher for what brings the student further. Raises BackendError."""
        ...
