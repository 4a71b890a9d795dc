"""A writer whose turns lie in files: what it said is played back, what it has not said yet is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import OPENER, Message


class TurnMissing(Exception):
    """The writer has not said what comes next; `request` is what to ask it."""

    def __init__(self, id: str, prompt: Sequence[Message]) -> None:
        super().__init__(id)
        self.id = id
        self.prompt = tuple(prompt)


@dataclass(frozen=True, slots=True)
class RecordedWriter:
    """The turns of one question's conversation, by their ids: `QUESTION#1`, `QUESTION#2` and so on.

    A backend, so that the agent that serves students plays them back with its own tools and check.
    """

    question: str
    turns: Mapping[str, str]

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "recorded", "name": "recorded"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The turn that follows this prompt. Raises TurnMissing if the writer has not said it yet."""
        written = sum(message.role == "assistant" and message.content.startswith(OPENER) for message in prompt)
        id = f"{self.question}#{written + 1}"
        if id not in self.turns:
            raise TurnMissing(id, prompt)
        return Completion(self.turns[id].strip().removeprefix(OPENER))
