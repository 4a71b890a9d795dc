"""A model that plays back given turns, and a check that finds nothing wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from scribe.trajectory import Trajectory


def trusting(trajectory: Trajectory, answer: str) -> Sequence[str]:
    """The check that finds nothing wrong."""
    return ()


@dataclass(slots=True)
class ScriptedBackend:
    """Plays back given turns in order and remembers what it was asked."""

    turns: Sequence[str]
    prompts: list[tuple[Message, ...]] = field(default_factory=list)
    constraints: list[Constraint | None] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    finish: Finish = "stop"

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "scripted", "name": "scripted"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        if len(self.prompts) >= len(self.turns):
            raise BackendError(f"the script has only {len(self.turns)} turns")
        text = self.turns[len(self.prompts)]
        self.prompts.append(tuple(prompt))
        self.constraints.append(constraint)
        self.owners.append(owner)
        if on_text is not None and on_text(text) is False:
            return Completion("", "cancelled")
        words = sum(len(message.content.split()) for message in prompt)
        return Completion(text, self.finish, words, 0, len(text.split()))
