"""A verifier that values by a rule of the test's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scribe.tutor.session import TokenUse, TutoringSession
from scribe.verify.verifying import ValuedTurns


@dataclass(slots=True)
class ScriptedVerifier:
    """Gives each candidate what `rule` says of its text, and remembers what it was asked; a token for each."""

    rule: Callable[[str], float]
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        self.asked.append(tuple(candidates))
        return ValuedTurns(tuple(float(self.rule(each)) for each in candidates), TokenUse(len(candidates), 0))
